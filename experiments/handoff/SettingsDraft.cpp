// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/SettingsDraft.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"

#include <algorithm>

namespace headroom::experiments {

using config::Configuration;
using config::ValueMap;

namespace {

bool isWithin(const std::string& path, const std::string& parent)
{
    return path == parent || path.starts_with(parent + ".");
}

using AskedList = std::vector<AskedSetting>;

void addValues(AskedList& list, const std::string& table, const ValueMap& values)
{
    for (const auto& [name, value] : values)
        if (!value.isNull())
            list.push_back({table + "." + name, config::toLabel(value)});
}

void addModelSettings(AskedList& list, const Configuration& configuration)
{
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    ValueMap changed = model.fields.differing(configuration.modelFields);
    changed.erase(config::kArchiveField);
    list.push_back({"model.name", configuration.model});
    addValues(list, "model", changed);
}

// The loss of a language model is told, whether it is the usual one or not: not every trainer computes another.
bool isAlwaysTold(const std::string& key, const config::ModelDescriptor& model, const config::Workload& workload)
{
    if (key == "loss")
        return workload.step != config::StepKind::Inference && model.family->defaultLoss == config::Loss::CrossEntropy;
    return key == "step" || key == "dtype" || (model.shapes.find(key) != nullptr && key != "chunks" && key != "fused");
}

void addWorkloadSettings(AskedList& list, const Configuration& configuration)
{
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    ValueMap values = config::toValues(configuration.workload);
    const ValueMap defaults = config::toValues(config::makeWorkload({}, model.shapes, "workload"));
    std::erase_if(values, [&](const auto& entry) {
        return !isAlwaysTold(entry.first, model, configuration.workload) && defaults.at(entry.first) == entry.second;
    });
    addValues(list, "workload", values);
}

void addTechniqueSettings(AskedList& list, const Configuration& configuration)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const config::TechniqueSetting& setting = configuration.techniques.at(technique.key);
        const bool isUpdate = technique.key == "optimizer" && configuration.workload.step == config::StepKind::Train;
        if (!isUpdate && !config::isChosen(technique, setting))
            continue;
        const std::string path = "techniques." + technique.key;
        list.push_back({path, setting.notation});
        addValues(list, path, technique.options.differing(setting.options));
    }
}

} // namespace

std::vector<AskedSetting> askedSettings(const config::Trial& trial)
{
    AskedList list;
    addModelSettings(list, trial.configuration);
    addWorkloadSettings(list, trial.configuration);
    addTechniqueSettings(list, trial.configuration);
    if (!trial.allocator.empty())
        list.push_back({"device.allocator", trial.allocator});
    if (trial.memoryLimitBytes)
        list.push_back({"device.memory_limit_bytes", std::to_string(*trial.memoryLimitBytes)});
    if (!trial.protocol.residentModel.empty())
        list.push_back({"protocol.resident_model", trial.protocol.residentModel});
    return list;
}

SettingsDraft::SettingsDraft(const config::Trial& trial, std::string targetTitle)
    : m_trial(trial)
    , m_targetTitle(std::move(targetTitle))
    , m_asked(askedSettings(trial))
{
}

const config::TechniqueSetting& SettingsDraft::technique(const std::string& key) const
{
    return configuration().techniques.at(key);
}

const AskedSetting* SettingsDraft::find(const std::string& path) const
{
    const auto found = std::ranges::find(m_asked, path, &AskedSetting::path);
    return found == m_asked.end() ? nullptr : &*found;
}

bool SettingsDraft::asks(const std::string& path) const
{
    return find(path) != nullptr;
}

void SettingsDraft::take(const std::string& path)
{
    m_taken.insert(path);
}

void SettingsDraft::takeAll(const std::string& path)
{
    for (const AskedSetting& asked : m_asked)
        if (isWithin(asked.path, path))
            take(asked.path);
}

std::string SettingsDraft::line(const std::string& text, const std::string& path)
{
    const AskedSetting* asked = find(path);
    if (asked == nullptr)
        return text;
    take(path);
    return text + "  # " + shortSettingPath(path) + " = " + asked->notation;
}

void SettingsDraft::lack(const std::string& path, const std::string& why, const std::string& instead)
{
    if (const AskedSetting* asked = find(path))
        m_lacking.push_back({path, asked->notation, why, instead});
}

void SettingsDraft::lackAll(const std::string& path, const std::string& why)
{
    for (const AskedSetting& asked : m_asked)
        if (isWithin(asked.path, path))
            lack(asked.path, asked.path == path || !asks(path) ? why : "as " + shortSettingPath(path));
}

std::vector<LackingSetting> SettingsDraft::lacking() const
{
    std::vector<LackingSetting> all;
    for (const AskedSetting& asked : m_asked) {
        const auto before = all.size();
        std::ranges::copy_if(
            m_lacking, std::back_inserter(all), [&](const LackingSetting& each) { return each.path == asked.path; });
        if (all.size() == before && !m_taken.contains(asked.path))
            all.push_back({asked.path, asked.notation, m_targetTitle + " has no such setting", {}});
    }
    return all;
}

std::string shortSettingPath(const std::string& path)
{
    for (const char* table : {"techniques.", "workload."})
        if (path.starts_with(table))
            return path.substr(std::string(table).size());
    return path;
}

} // namespace headroom::experiments
