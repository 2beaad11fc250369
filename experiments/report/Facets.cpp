// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Facets.h"

#include "core/base/Quantities.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/models/RecordingFamily.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

namespace headroom::report {
namespace {

void addTechniques(std::vector<Facet>& facets, const experiments::SharedConfiguration& configuration)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const config::TechniqueSetting& setting = configuration.technique(technique.key);
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
    return found == facets.end() ? kUnknownCell : found->value;
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
    const experiments::SharedTrial& planned = trial.planned;
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

void Facets::Values::add(const std::string& value)
{
    const auto [found, isNew] = known.emplace(value, static_cast<std::uint32_t>(known.size()));
    if (isNew)
        texts.push_back(value);
    codes.push_back(found->second);
}

// None where the trials differ.
std::optional<std::string> Facets::Values::common(const std::string& key) const
{
    std::set<std::uint32_t> distinct(codes.begin(), codes.end());
    if (isOption(key) && distinct.size() > 1)
        distinct.erase(0);
    return distinct.size() == 1 ? std::optional(texts[*distinct.begin()]) : std::nullopt;
}

Facets::Facets(const std::vector<const ReportTrial*>& trials, Of what)
    : m_what(what)
{
    std::vector<std::string> keys; // in the order of the first trial that has each
    for (const ReportTrial* trial : trials) {
        const std::size_t before = m_places.size();
        if (!m_places.emplace(trial, before).second)
            continue;
        for (const auto& [key, value] : facetsOf(*trial, what)) {
            const auto [found, isNew] = m_values.try_emplace(key);
            if (isNew)
                keys.push_back(key);
            found->second.codes.resize(before); // absent in those between
            found->second.add(value);
        }
    }
    for (auto& [key, values] : m_values)
        values.codes.resize(m_places.size());
    for (const std::string& key : keys)
        if (const auto common = m_values.at(key).common(key))
            m_shared.push_back({key, *common});
        else
            m_varying.push_back(key);
}

std::string Facets::value(const ReportTrial& trial, const std::string& key) const
{
    const auto place = m_places.find(&trial);
    if (place == m_places.end())
        return valueIn(facetsOf(trial, m_what), key);
    const auto values = m_values.find(key);
    return values == m_values.end() ? kUnknownCell : values->second.texts[values->second.codes[place->second]];
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
            if (values[before].size() > 1 && found != kUnknownCell)
                labels[i] += (before.empty() ? "" : ", ") + words(key, found);
        }
    }
    return labels;
}

} // namespace headroom::report
