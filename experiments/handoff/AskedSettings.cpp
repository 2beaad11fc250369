// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/AskedSettings.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"

#include <algorithm>

namespace headroom::experiments {

using config::Configuration;
using config::ValueMap;

namespace {

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

bool isAlwaysTold(const std::string& key, const config::FieldSet& shapes)
{
    return key == "step" || key == "dtype" || (shapes.find(key) != nullptr && key != "chunks" && key != "fused");
}

void addWorkloadSettings(AskedList& list, const Configuration& configuration)
{
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    ValueMap values = config::toValues(configuration.workload);
    const ValueMap defaults = config::toValues(config::makeWorkload({}, model.shapes, "workload"));
    std::erase_if(values, [&](const auto& entry) {
        return !isAlwaysTold(entry.first, model.shapes) && defaults.at(entry.first) == entry.second;
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

} // namespace headroom::experiments
