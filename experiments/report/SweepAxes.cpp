// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/SweepAxes.h"

#include "core/base/Quantities.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/report/Facets.h"

#include <algorithm>
#include <map>

namespace headroom::report {
namespace {

using TrialFacets = std::vector<std::map<std::string, std::string>>; ///< of each trial, by key

constexpr const char* kModelKey = "model.name";
constexpr const char* kDeviceKey = "device.name";

bool isTechnique(const std::string& word)
{
    return std::ranges::any_of(config::techniqueCatalogue(),
        [&](const config::TechniqueDescriptor& technique) { return technique.key == word; });
}

std::string tableOf(const std::string& key)
{
    return key.substr(0, key.find('.'));
}

// The setting that usually decides a key's value; empty for a key that stands for itself.
std::string deciderOf(const std::string& key)
{
    const std::string table = tableOf(key);
    if (table == key || key == kModelKey || key == kDeviceKey)
        return {};
    if (table == "model" || table == "workload")
        return kModelKey;
    if (key == "device.runtime")
        return kDeviceKey;
    return isTechnique(table) ? table : std::string();
}

std::string axisTitle(const std::string& key)
{
    if (key == kModelKey || key == kDeviceKey)
        return tableOf(key);
    return isTechnique(tableOf(key)) ? key : key.substr(key.rfind('.') + 1);
}

std::string axisValue(const std::map<std::string, std::string>& facets, const std::string& key)
{
    const auto found = facets.find(key);
    return found == facets.end() ? std::string(kUnknownCell) : found->second;
}

bool followsFrom(const TrialFacets& trials, const std::string& key, const std::string& decider)
{
    std::map<std::string, std::string> values;
    return std::ranges::all_of(trials, [&](const auto& facets) {
        const std::string value = axisValue(facets, key);
        return values.try_emplace(axisValue(facets, decider), value).first->second == value;
    });
}

TrialFacets facetsOfAll(const std::vector<ReportTrial>& trials)
{
    TrialFacets all;
    for (const ReportTrial& trial : trials) {
        auto& facets = all.emplace_back();
        for (const Facet& facet : facetsOf(trial, Facets::Of::Everything))
            facets.emplace(facet.key, facet.value);
    }
    return all;
}

std::vector<std::string> varyingKeys(const std::vector<ReportTrial>& trials)
{
    std::vector<const ReportTrial*> pointers;
    for (const ReportTrial& trial : trials)
        pointers.push_back(&trial);
    return Facets(pointers, Facets::Of::Everything).varying();
}

} // namespace

std::vector<SweepAxis> sweepAxes(const std::vector<ReportTrial>& trials)
{
    if (trials.size() < 2)
        return {};
    const TrialFacets facets = facetsOfAll(trials);
    std::vector<SweepAxis> axes;
    for (const std::string& key : varyingKeys(trials)) {
        if (const std::string decider = deciderOf(key); !decider.empty() && followsFrom(facets, key, decider))
            continue;
        axes.push_back({key, axisTitle(key), {}});
        for (const auto& trial : facets)
            axes.back().values.push_back(axisValue(trial, key));
    }
    return axes;
}

} // namespace headroom::report
