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

// What a label may show besides techniques; the numbers in front keep the order device, model, workload, protocol.
ValueMap labelValues(const config::Trial& trial)
{
    ValueMap values{{"0 device", trial.device.name()},
        {"2 memory_limit_bytes", trial.memoryLimitBytes ? Value(*trial.memoryLimitBytes) : Value()},
        {"2 allocator", trial.allocator.empty() ? Value() : Value(trial.allocator)},
        {"2 segment_addresses", trial.segmentAddresses ? Value(config::toText(*trial.segmentAddresses)) : Value()},
        {kModelKey, trial.configuration.model}};
    if (trial.device.hasProfile())
        values.emplace("1 runtime", trial.device.runtime);
    for (const auto& [name, value] : trial.configuration.modelFields)
        values.emplace("4 " + name, value);
    for (const auto& [name, value] : config::toValues(trial.configuration.workload))
        values.emplace("5 " + name, value);
    for (const auto& [name, value] : config::toValues(trial.protocol))
        values.emplace("6 " + name, value);
    return values;
}

// Models of different families have different keys: one that a trial lacks does not vary because of that.
std::set<std::string> varyingKeys(const std::vector<ValueMap>& all)
{
    ValueMap first;
    std::set<std::string> varying;
    for (const ValueMap& values : all)
        for (const auto& [key, value] : values)
            if (const auto [it, isNew] = first.emplace(key, value); !isNew && it->second != value)
                varying.insert(key);
    return varying;
}

// Two models differ in their defaults: a key is shown only where it varies for one of them.
std::set<std::string> varyingWithinModels(const std::vector<PlannedTrial>& trials, const std::vector<ValueMap>& all)
{
    std::map<std::string, std::vector<ValueMap>> byModel;
    for (std::size_t i = 0; i < trials.size(); ++i)
        byModel[trials[i].trial.configuration.model].push_back(all[i]);
    std::set<std::string> varying;
    for (const auto& [model, values] : byModel)
        varying.merge(varyingKeys(values));
    if (byModel.size() > 1)
        varying.insert(kModelKey);
    for (const std::string& key : varyingKeys(all))
        if (key < "3 " || key > "6 ")
            varying.insert(key);
    return varying;
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
    std::vector<ValueMap> all;
    for (const PlannedTrial& planned : trials)
        all.push_back(labelValues(planned.trial));
    const std::set<std::string> keys = keysToShow(varyingWithinModels(trials, all), all);
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
