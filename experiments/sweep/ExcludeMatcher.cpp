// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/ExcludeMatcher.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/SettingSuggestion.h"
#include "experiments/spec/SettingField.h"
#include "experiments/sweep/AllocatorSetting.h"
#include "experiments/sweep/TrialBuilder.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

using config::Value;

// "sim:h200" excludes that device with every runtime, "sim:h200@torch-2.5" with this one only.
bool isDevice(const config::DeviceSpec& device, const std::string& notation, const std::string& where)
{
    const config::DeviceSpec named = config::parseDevice(notation, where);
    return notation.find('@') == std::string::npos ? named.name() == device.name() : named == device;
}

bool isNotation(const std::string& path)
{
    return path.starts_with("techniques.") && std::count(path.begin(), path.end(), '.') == 1;
}

bool equals(const config::Trial& trial, const SpecSetting& setting, const Value& expected, const std::string& where)
{
    if (isNotation(setting.path)) {
        const auto& technique = config::findTechnique(splitPath(setting.path).second, where);
        const config::TechniqueSetting& actual = trial.configuration.techniques.at(technique.key);
        const config::ValueMap given = technique.options.differing(actual.options);
        return actual.notation
            == config::notationMeant(technique, notationText(expected, where), given, trial.device.kind, where);
    }
    const Value actual = valueIn(trial, setting.path).value();
    const config::Field field = settingField(setting.path, trial.configuration.model, where);
    const Value checked = field.check(expected, where);
    if (setting.path == "device.allocator")
        return trial.allocator == allocatorText(checked.text());
    return setting.path == "device.name" ? isDevice(trial.device, checked.text(), where) : actual == checked;
}

// A list stands for any of its values, unless the field is a list itself.
std::vector<std::pair<Value, std::string>> alternatives(const SpecSetting& setting, const std::string& modelName)
{
    const auto isList = [](const Value& item) { return item.isList(); };
    const bool ofLists = config::isListType(settingField(setting.path, modelName, setting.where).type);
    if (!setting.value.isList()
        || (ofLists && !std::all_of(setting.value.list().begin(), setting.value.list().end(), isList)))
        return {{setting.value, setting.where}};
    std::vector<std::pair<Value, std::string>> values;
    for (std::size_t i = 0; i < setting.value.list().size(); ++i)
        values.emplace_back(setting.value.list()[i], setting.whereOf(i));
    return values;
}

} // namespace

ExcludeMatcher::ExcludeMatcher(const std::vector<ExcludeRule>& rules)
    : m_rules(rules)
{
}

std::string ExcludeMatcher::reasonFor(const config::Trial& trial)
{
    std::string reason;
    for (const ExcludeRule& rule : m_rules)
        if (matches(rule, trial) && reason.empty())
            reason = rule.reason;
    return reason;
}

// Looks at every setting even after the first that differs, so that a bad value is found wherever it stands.
bool ExcludeMatcher::matches(const ExcludeRule& rule, const config::Trial& trial)
{
    return std::count_if(rule.settings.begin(), rule.settings.end(), [&](const SpecSetting& setting) {
        return matches(setting, trial);
    }) == std::ssize(rule.settings);
}

bool ExcludeMatcher::matches(const SpecSetting& setting, const config::Trial& trial)
{
    if (!valueIn(trial, setting.path))
        return false;
    if (std::find(m_knownPaths.begin(), m_knownPaths.end(), setting.path) == m_knownPaths.end())
        m_knownPaths.push_back(setting.path);
    const auto values = alternatives(setting, trial.configuration.model);
    return std::count_if(values.begin(), values.end(), [&](const auto& value) {
        return equals(trial, setting, value.first, value.second);
    }) > 0;
}

void ExcludeMatcher::requireKnownSettings(const std::string& modelName) const
{
    for (const ExcludeRule& rule : m_rules)
        for (const SpecSetting& setting : rule.settings)
            if (std::find(m_knownPaths.begin(), m_knownPaths.end(), setting.path) == m_knownPaths.end())
                settingField(setting.path, modelName, setting.where);
}

} // namespace headroom::experiments
