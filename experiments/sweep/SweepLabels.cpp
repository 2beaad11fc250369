// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/SweepLabels.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"

#include <algorithm>
#include <map>
#include <set>

namespace headroom::experiments {
namespace {

using config::Value;
using config::ValueMap;

constexpr const char* kModelKey = "3 model";

// Calls `visit(key, value)` with what a label may show besides techniques; the numbers in front keep the order device,
// model, workload, protocol.
template <typename Visit> void eachLabelValue(const config::Trial& trial, const Visit& visit)
{
    visit("0 device", trial.device.name());
    if (trial.device.hasProfile())
        visit("1 runtime", trial.device.runtime);
    visit("2 memory_limit_bytes", trial.memoryLimitBytes ? Value(*trial.memoryLimitBytes) : Value());
    visit("2 allocator", trial.allocator.empty() ? Value() : Value(trial.allocator));
    visit("2 segment_addresses", trial.segmentAddresses ? Value(config::toText(*trial.segmentAddresses)) : Value());
    visit(kModelKey, trial.configuration.model);
    for (const auto& [name, value] : trial.configuration.modelFields)
        visit("4 " + name, value);
    for (const auto& [name, value] : config::toValues(trial.configuration.workload))
        visit("5 " + name, value);
    for (const auto& [name, value] : config::toValues(trial.protocol))
        visit("6 " + name, value);
}

// Collects the keys that vary, trial by trial. Models of different families have different keys: one that a trial lacks
// does not vary because of that.
class VaryingKeys {
public:
    void add(const std::string& key, const Value& value)
    {
        if (const auto [it, isNew] = m_first.try_emplace(key, value); !isNew && it->second != value)
            m_varying.insert(key);
    }

    const std::set<std::string>& found() const { return m_varying; }

private:
    ValueMap m_first;
    std::set<std::string> m_varying;
};

// Two models differ in their defaults: a key is shown only where it varies for one of them. The values of all trials
// together would take as much room as the trials.
std::set<std::string> varyingWithinModels(const std::vector<PlannedTrial>& trials)
{
    VaryingKeys all;
    std::map<std::string, VaryingKeys> byModel;
    for (const PlannedTrial& planned : trials) {
        VaryingKeys& ofModel = byModel[planned.trial.configuration.model];
        eachLabelValue(planned.trial, [&](const std::string& key, const Value& value) {
            all.add(key, value);
            ofModel.add(key, value);
        });
    }
    std::set<std::string> varying;
    for (const auto& [model, keys] : byModel)
        varying.insert(keys.found().begin(), keys.found().end());
    if (byModel.size() > 1)
        varying.insert(kModelKey);
    for (const std::string& key : all.found())
        if (key < "3 " || key > "6 ")
            varying.insert(key);
    return varying;
}

// What the trials' labels may show; the model in any case, which is shortened.
std::vector<ValueMap> valuesOf(const std::vector<PlannedTrial>& trials, const std::set<std::string>& keys)
{
    std::vector<ValueMap> all;
    all.reserve(trials.size());
    for (const PlannedTrial& planned : trials) {
        ValueMap& values = all.emplace_back();
        eachLabelValue(planned.trial, [&](const std::string& key, const Value& value) {
            if (key == kModelKey || keys.contains(key))
                values.emplace(key, value);
        });
    }
    return all;
}

// Trials that agree in the shown keys agree in this one too: two parts of a spec may differ in much that their devices
// tell apart already.
bool followsFrom(const std::vector<std::string>& shownKeys, const std::string& key, const std::vector<ValueMap>& all)
{
    std::map<std::vector<std::string>, std::string> known;
    const auto textOf = [](const ValueMap& values, const std::string& name) {
        const auto it = values.find(name);
        return it == values.end() ? std::string() : config::toLabel(it->second);
    };
    return std::all_of(all.begin(), all.end(), [&](const ValueMap& values) {
        std::vector<std::string> place;
        for (const std::string& name : shownKeys)
            place.push_back(textOf(values, name));
        const std::string value = textOf(values, key);
        return known.emplace(place, value).first->second == value;
    });
}

std::set<std::string> keysToShow(const std::set<std::string>& varying, const std::vector<ValueMap>& all)
{
    std::vector<std::string> keys;
    for (const std::string& key : varying)
        if (!followsFrom(keys, key, all))
            keys.push_back(key);
    return {keys.begin(), keys.end()};
}

std::string shown(const std::string& key, const Value& value)
{
    const bool speaksForItself = key == "0 device" || key == "1 runtime" || key == kModelKey;
    const std::string text = value.isNull() ? "default" : config::toLabel(value);
    return speaksForItself ? text : key.substr(2) + " " + text;
}

// Of an exported model the file's name, where no other content in the sweep has that name.
void shortenModels(std::vector<ValueMap>& all)
{
    const auto stemOf = [](const std::string& name) { return name.substr(0, name.rfind('@')); };
    std::map<std::string, std::set<std::string>> namesOf;
    for (const ValueMap& values : all)
        if (const std::string& name = values.at(kModelKey).text(); config::isImportedName(name))
            namesOf[stemOf(name)].insert(name);
    for (ValueMap& values : all)
        if (const auto found = namesOf.find(stemOf(values.at(kModelKey).text()));
            found != namesOf.end() && found->second.size() == 1)
            values[kModelKey] = found->first;
}

// What is trained, and by which optimizer, is the task. Where several trials share it, it tells none of them apart.
std::set<std::string> sharedTasks(const std::vector<SettingOf>& trials)
{
    std::set<std::string> shared;
    if (trials.size() < 2)
        return shared;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (technique.role == config::TechniqueRole::Task
            && std::ranges::all_of(trials,
                [&](const SettingOf& settingOf) { return settingOf(technique.key) == trials.front()(technique.key); }))
            shared.insert(technique.key);
    return shared;
}

std::string techniqueLabel(const SettingOf& settingOf, const std::map<std::string, config::TechniqueSetting>& hidden)
{
    std::string label;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const auto off = hidden.find(technique.key);
        const config::TechniqueSetting& setting = off == hidden.end() ? settingOf(technique.key) : off->second;
        if (config::isChosen(technique, setting))
            label += (label.empty() ? "" : " | ") + config::settingLabel(technique, setting);
    }
    return label.empty() ? "baseline" : label;
}

} // namespace

std::vector<std::string> techniqueLabels(const std::vector<SettingOf>& trials)
{
    std::map<std::string, config::TechniqueSetting> hidden; // as if they were off
    for (const std::string& key : sharedTasks(trials)) {
        const config::TechniqueDescriptor& technique = config::findTechnique(key, "");
        hidden.emplace(key, config::makeSetting(technique, technique.off, {}, key));
    }
    std::vector<std::string> labels;
    for (const SettingOf& settingOf : trials)
        labels.push_back(techniqueLabel(settingOf, hidden));
    return labels;
}

void labelTrials(std::vector<PlannedTrial>& trials)
{
    const std::set<std::string> varying = varyingWithinModels(trials);
    std::vector<ValueMap> all = valuesOf(trials, varying);
    const std::set<std::string> keys = keysToShow(varying, all);
    std::vector<SettingOf> settings;
    for (const PlannedTrial& planned : trials)
        settings.emplace_back(
            [&techniques = planned.trial.configuration.techniques](
                const std::string& key) -> const config::TechniqueSetting& { return techniques.at(key); });
    const std::vector<std::string> techniques = techniqueLabels(settings);
    shortenModels(all);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        trials[i].label.clear();
        for (const auto& [key, value] : all[i])
            if (keys.contains(key))
                trials[i].label += shown(key, value) + " | ";
        trials[i].label += techniques[i];
    }
}

} // namespace headroom::experiments
