// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Facets.h"

#include "core/base/Quantities.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/models/RecordingFamily.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace headroom::report {
namespace {

using config::Configuration;

constexpr const char* kAbsent = "-";

void addTechniques(std::vector<Facet>& facets, const Configuration& configuration)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const config::TechniqueSetting& setting = configuration.techniques.at(technique.key);
        facets.push_back({technique.key, setting.notation});
        if (config::isChosen(technique, setting))
            for (const auto& [option, value] : setting.options)
                facets.push_back({technique.key + "." + option, config::toLabel(value)});
    }
}

void addAll(std::vector<Facet>& facets, const std::string& table, const config::ValueMap& values)
{
    for (const auto& [key, value] : values)
        if (!value.isNull())
            facets.push_back({table + "." + key, config::toLabel(value)});
}

std::string valueIn(const std::vector<Facet>& facets, const std::string& key)
{
    const auto found = std::find_if(facets.begin(), facets.end(), [&](const Facet& facet) { return facet.key == key; });
    return found == facets.end() ? kAbsent : found->value;
}

// Keys of all trials, in the order of the first trial that has each.
std::vector<std::string> allKeys(const std::vector<std::vector<Facet>>& trials)
{
    std::vector<std::string> keys;
    for (const auto& facets : trials)
        for (const Facet& facet : facets)
            if (std::find(keys.begin(), keys.end(), facet.key) == keys.end())
                keys.push_back(facet.key);
    return keys;
}

// That a trial lacks an option says no more than that its technique is off, which is a facet of its own.
bool isOption(const std::string& key)
{
    const std::string table = key.substr(0, key.find('.'));
    const auto& techniques = config::techniqueCatalogue();
    return table != key && std::any_of(techniques.begin(), techniques.end(), [&](const auto& technique) {
        return technique.key == table;
    });
}

// The value on which all trials agree; none where they differ.
std::optional<std::string> commonValue(const std::vector<std::vector<Facet>>& trials, const std::string& key)
{
    std::set<std::string> values;
    for (const auto& facets : trials)
        values.insert(valueIn(facets, key));
    if (isOption(key) && values.size() > 1)
        values.erase(kAbsent);
    return values.size() == 1 ? std::optional(*values.begin()) : std::nullopt;
}

bool startsLikeANumber(const std::string& value)
{
    return !value.empty() && (value.front() == '-' || (value.front() >= '0' && value.front() <= '9'));
}

bool isBareWord(const std::string& value)
{
    return value == "true" || value == "false";
}

// Limits of one sweep may be close to each other.
std::string exactLimit(Bytes bytes)
{
    const SizeUnit unit = columnUnitFor({bytes});
    return inUnit(bytes, unit) + " " + unit.name;
}

// "geglu", "batch 2", "limit 4.000 GiB"
std::string words(const std::string& key, const std::string& value)
{
    if (key == "device.memory_limit_bytes")
        return "limit " + exactLimit(std::stoll(value));
    const bool needsKey = startsLikeANumber(value) || isBareWord(value);
    return (needsKey ? key.substr(key.rfind('.') + 1) + " " : std::string()) + value;
}

} // namespace

std::vector<Facet> facetsOf(const ReportTrial& trial, Facets::Of what)
{
    const config::Trial& planned = trial.planned;
    std::vector<Facet> facets{{"device.name", planned.device.name()}};
    if (planned.device.hasProfile())
        facets.push_back({"device.runtime", planned.device.runtime});
    if (planned.memoryLimitBytes)
        facets.push_back({"device.memory_limit_bytes", std::to_string(*planned.memoryLimitBytes)});
    if (planned.segmentAddresses)
        facets.push_back({"device.segment_addresses", config::toText(*planned.segmentAddresses)});
    if (!planned.allocator.empty())
        facets.push_back({"device.allocator", planned.allocator});
    facets.push_back({"model.name", planned.configuration.model});
    addAll(facets, "model", planned.configuration.modelFields);
    if (planned.configuration.model == config::kRecordingModel) // of which no more is known
        return facets;
    addAll(facets, "workload", config::toValues(planned.configuration.workload));
    if (what == Facets::Of::Everything)
        addTechniques(facets, planned.configuration);
    addAll(facets, "protocol", config::toValues(planned.protocol));
    return facets;
}

Facets::Facets(const std::vector<const ReportTrial*>& trials, Of what)
    : m_what(what)
{
    std::vector<std::vector<Facet>> all;
    for (const ReportTrial* trial : trials)
        all.push_back(facetsOf(*trial, what));
    for (const std::string& key : allKeys(all))
        if (const auto common = commonValue(all, key))
            m_shared.push_back({key, *common});
        else
            m_varying.push_back(key);
}

std::string Facets::value(const ReportTrial& trial, const std::string& key) const
{
    return valueIn(facetsOf(trial, m_what), key);
}

std::vector<std::string> Facets::labels(const std::vector<const ReportTrial*>& trials) const
{
    std::vector<std::string> labels(trials.size());
    for (const std::string& key : m_varying) {
        std::map<std::string, std::set<std::string>> values; // by the label so far
        for (std::size_t i = 0; i < trials.size(); ++i)
            values[labels[i]].insert(value(*trials[i], key));
        for (std::size_t i = 0, size = trials.size(); i < size; ++i) {
            const std::string before = labels[i];
            const std::string found = value(*trials[i], key);
            if (values[before].size() > 1 && found != kAbsent)
                labels[i] += (before.empty() ? "" : ", ") + words(key, found);
        }
    }
    return labels;
}

} // namespace headroom::report
