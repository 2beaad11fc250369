// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/SweepAxes.h"

#include "core/base/Quantities.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/report/Facets.h"

#include <algorithm>
#include <map>

namespace headroom::report {
namespace {

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

bool followsFrom(
    const std::vector<ReportTrial>& trials, const Facets& facets, const std::string& key, const std::string& decider)
{
    std::map<std::string, std::string> values;
    return std::ranges::all_of(trials, [&](const ReportTrial& trial) {
        const std::string value = facets.value(trial, key);
        return values.try_emplace(facets.value(trial, decider), value).first->second == value;
    });
}

} // namespace

std::vector<SweepAxis> sweepAxes(const std::vector<ReportTrial>& trials)
{
    if (trials.size() < 2)
        return {};
    std::vector<const ReportTrial*> pointers;
    for (const ReportTrial& trial : trials)
        pointers.push_back(&trial);
    const Facets facets(pointers, Facets::Of::Everything);
    std::vector<SweepAxis> axes;
    for (const std::string& key : facets.varying()) {
        if (const std::string decider = deciderOf(key); !decider.empty() && followsFrom(trials, facets, key, decider))
            continue;
        axes.push_back({key, axisTitle(key), {}});
        for (const ReportTrial& trial : trials)
            axes.back().values.push_back(facets.value(trial, key));
    }
    return axes;
}

} // namespace headroom::report
