// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/SweepLabels.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"

#include <algorithm>
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
std::vector<std::string> sharedTasks(const std::vector<const config::Configuration*>& configurations)
{
    std::vector<std::string> shared;
    if (configurations.size() < 2)
        return shared;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const auto settingOf = [&](const config::Configuration* of) -> const config::TechniqueSetting& {
            return of->techniques.at(technique.key);
        };
        const bool isShared = std::all_of(configurations.begin(), configurations.end(),
            [&](const config::Configuration* one) { return settingOf(one) == settingOf(configurations.front()); });
        if (technique.role == config::TechniqueRole::Task && isShared)
            shared.push_back(technique.key);
    }
    return shared;
}

} // namespace

std::vector<std::string> techniqueLabels(const std::vector<const config::Configuration*>& configurations)
{
    const std::vector<std::string> hidden = sharedTasks(configurations);
    std::vector<std::string> labels;
    for (const config::Configuration* configuration : configurations) {
        config::Configuration shown = *configuration;
        for (const std::string& key : hidden) {
            const config::TechniqueDescriptor& technique = config::findTechnique(key, "");
            shown.techniques.at(key) = config::makeSetting(technique, technique.off, {}, key);
        }
        labels.push_back(config::techniqueLabel(shown));
    }
    return labels;
}

void labelTrials(std::vector<PlannedTrial>& trials)
{
    std::vector<ValueMap> all;
    for (const PlannedTrial& planned : trials)
        all.push_back(labelValues(planned.trial));
    const std::set<std::string> keys = keysToShow(varyingWithinModels(trials, all), all);
    std::vector<const config::Configuration*> configurations;
    for (const PlannedTrial& planned : trials)
        configurations.push_back(&planned.trial.configuration);
    const std::vector<std::string> techniques = techniqueLabels(configurations);
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
