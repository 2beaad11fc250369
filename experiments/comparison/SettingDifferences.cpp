// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/SettingDifferences.h"

#include "core/config/models/RecordingFamily.h"

#include <map>

namespace headroom::experiments {
namespace {

/// Settings in the order in which they were added.
class SettingList {
public:
    void add(const std::string& key, const std::string& value) { m_values.emplace_back(key, value); }
    void add(const std::string& prefix, const NamedValues& values)
    {
        for (const auto& [name, value] : values)
            add(prefix + name, config::toLabel(value));
    }

    const std::vector<std::pair<std::string, std::string>>& all() const { return m_values; }

private:
    std::vector<std::pair<std::string, std::string>> m_values;
};

SettingList settingsOf(const TrialResult& result)
{
    SettingList settings;
    settings.add("device", result.deviceNotation());
    settings.add("allocator", result.allocator);
    settings.add("model", result.model.name);
    if (result.model.name != config::kRecordingModel) // whose fields name its file
        settings.add("model.", result.model.overrides);
    settings.add("workload.", result.workload);
    for (const TechniqueResult& technique : result.techniques) {
        settings.add("techniques." + technique.key, technique.notation);
        settings.add("techniques." + technique.key + ".", technique.options);
    }
    return settings;
}

// Variables and the like are objects within.
void addKeys(SettingList& list, const std::string& prefix, const OrderedJson& json)
{
    for (const auto& [key, value] : json.items())
        if (value.is_object())
            addKeys(list, prefix + key + ".", value);
        else
            list.add(prefix + key, value.is_string() ? value.get<std::string>() : value.dump());
}

std::vector<SettingDifference> differencesBetween(const SettingList& a, const SettingList& b)
{
    std::map<std::string, std::string> ofB(b.all().begin(), b.all().end());
    std::vector<SettingDifference> differences;
    for (const auto& [key, value] : a.all()) {
        const auto other = ofB.extract(key);
        const std::string text = other ? other.mapped() : "";
        if (value != text)
            differences.push_back({key, value, text});
    }
    for (const auto& [key, value] : b.all())
        if (ofB.contains(key) && !value.empty())
            differences.push_back({key, "", value});
    return differences;
}

} // namespace

std::vector<SettingDifference> settingDifferences(const TrialResult& a, const TrialResult& b)
{
    return differencesBetween(settingsOf(a), settingsOf(b));
}

std::vector<SettingDifference> environmentDifferences(const OrderedJson& a, const OrderedJson& b)
{
    if (!a.is_object() || !b.is_object())
        return {};
    SettingList listA;
    SettingList listB;
    addKeys(listA, "", a);
    addKeys(listB, "", b);
    return differencesBetween(listA, listB);
}

} // namespace headroom::experiments
