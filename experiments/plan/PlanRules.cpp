// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanRules.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/techniques/CheckpointNotation.h"
#include "experiments/spec/TomlValue.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

constexpr const char* kBatchKey = "batch";

std::vector<std::string> ruleKeys()
{
    std::vector<std::string> keys;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        keys.push_back(technique.key);
    keys.emplace_back(kBatchKey);
    return keys;
}

// `--forbid checkpointing=budget`, of whatever size.
bool isEveryBudget(const config::TechniqueDescriptor& technique, const std::string& notation)
{
    return technique.key == "checkpointing" && notation == "budget";
}

void requireKey(const std::string& key, const std::string& flag)
{
    const std::vector<std::string> keys = ruleKeys();
    if (std::ranges::find(keys, key) == keys.end())
        throw UsageError(
            "unknown technique \"" + key + "\"" + didYouMean(config::closestName(key, keys)), flag, joined(keys));
}

config::Value forbiddenValue(
    const config::TechniqueDescriptor& technique, const std::string& option, const std::string& text)
{
    const std::string where = "--forbid " + technique.key + "." + option;
    return technique.options.get(option, technique.key).check(valueFromText(text, where), where);
}

// Options of techniques that a plan sets.
void requireForbiddenOption(const PlanRules& rules, const std::string& path)
{
    const auto [key, option] = splitRulePath(path);
    requireKey(key, "--forbid");
    if (key == kBatchKey)
        throw UsageError("found \"" + path + "\"", "--forbid", "batch, which has no options");
    const config::TechniqueDescriptor& technique = config::findTechnique(key, "--forbid");
    technique.options.get(option, "--forbid " + key);
    for (const std::string& value : rules.forbidden.at(path))
        forbiddenValue(technique, option, value);
}

void requireForbidden(const PlanRules& rules, const config::Trial& trial, const std::string& key)
{
    if (!splitRulePath(key).second.empty())
        return requireForbiddenOption(rules, key);
    requireKey(key, "--forbid");
    if (rules.kept.contains(key))
        throw UsageError("found " + key + " in --keep and in --forbid", "--forbid", "one of the two");
    if (key == kBatchKey)
        return;
    const config::TechniqueDescriptor& technique = config::findTechnique(key, "--forbid");
    const std::string& present = trial.configuration.techniques.at(key).notation;
    if (technique.role == config::TechniqueRole::Task && rules.forbidden.at(key).empty())
        throw UsageError(key + " decides what is trained, which a plan does not change", "--forbid",
            "techniques that trade memory for time; --" + key + " sets it");
    for (const std::string& notation : rules.forbidden.at(key))
        if (!isEveryBudget(technique, notation))
            technique.normalise(notation, "--forbid " + key);
    if (key == "ema" && present != technique.off && rules.forbidden.at(key).empty())
        throw UsageError("the trial keeps an EMA (" + present + "), and a plan changes only where it is kept",
            "--forbid ema", "--ema off, or --forbid ema=device to leave out a place");
}

void requireAllowed(const PlanRules& rules, const std::string& path)
{
    const auto [key, option] = splitRulePath(path);
    requireKey(key, "--allow");
    const auto& values = rules.allowed.at(path);
    if (key == kBatchKey || values.empty())
        throw UsageError("found \"" + path + "\" without what it may become", "--allow",
            "TECHNIQUE=NOTATION,... or TECHNIQUE.OPTION=VALUE,..., as in optimizer.state_dtype=bfloat16");
    if (rules.kept.contains(key))
        throw UsageError("found " + key + " in --keep and in --allow", "--allow", "one of the two");
    const config::TechniqueDescriptor& technique = config::findTechnique(key, "--allow");
    for (const std::string& value : values)
        if (option.empty())
            technique.normalise(value, "--allow " + key);
        else
            config::makeSetting(technique, technique.firstNotation.empty() ? technique.off : technique.firstNotation,
                {{option, valueFromText(value, "--allow " + path)}}, "--allow");
}

} // namespace

std::map<std::string, std::vector<std::string>> rulesFrom(
    const std::vector<std::string>& words, const std::string& flag)
{
    std::map<std::string, std::vector<std::string>> rules;
    const std::vector<std::string> keys = ruleKeys();
    for (const std::string& word : words) {
        std::string key;
        for (const std::string& piece : splitAtCommas(word)) {
            const std::size_t equals = piece.find('=');
            const bool begins = key.empty() || equals != std::string::npos
                || std::ranges::find(keys, splitRulePath(piece).first) != keys.end();
            if (begins)
                key = piece.substr(0, equals);
            const std::string value = !begins ? piece : equals == std::string::npos ? "" : piece.substr(equals + 1);
            if (key.empty() || (equals != std::string::npos && value.empty()))
                throw UsageError(
                    "found \"" + word + "\"", flag, "TECHNIQUE, TECHNIQUE=NOTATION or TECHNIQUE.OPTION=VALUE");
            auto& list = rules[key];
            if (!value.empty())
                list.push_back(value);
        }
    }
    return rules;
}

void requireSound(const PlanRules& rules, const config::Trial& trial)
{
    for (const std::string& key : rules.kept)
        requireKey(key, "--keep");
    for (const auto& [key, notations] : rules.forbidden)
        requireForbidden(rules, trial, key);
    for (const auto& [path, values] : rules.allowed)
        requireAllowed(rules, path);
}

bool isForbidden(const PlanRules& rules, const config::TechniqueDescriptor& technique, const std::string& notation)
{
    const auto found = rules.forbidden.find(technique.key);
    if (found == rules.forbidden.end())
        return false;
    if (found->second.empty())
        return notation != technique.off;
    return std::ranges::any_of(found->second, [&](const std::string& forbidden) {
        return isEveryBudget(technique, forbidden) ? config::budgetOf(notation).has_value()
                                                   : technique.normalise(forbidden, "--forbid") == notation;
    });
}

bool isForbidden(
    const PlanRules& rules, const config::TechniqueDescriptor& technique, const config::TechniqueSetting& setting)
{
    if (isForbidden(rules, technique, setting.notation))
        return true;
    if (setting.notation == technique.off && technique.offOptions == config::OffOptions::Dropped)
        return false;
    return std::ranges::any_of(rules.forbidden, [&](const auto& rule) {
        const auto [key, option] = splitRulePath(rule.first);
        if (key != technique.key || option.empty())
            return false;
        const config::Value value = optionOf(technique, setting, option);
        if (rule.second.empty())
            return value != technique.options.get(option, key).defaultValue;
        return std::ranges::any_of(rule.second,
            [&](const std::string& forbidden) { return value == forbiddenValue(technique, option, forbidden); });
    });
}

config::Value optionOf(
    const config::TechniqueDescriptor& technique, const config::TechniqueSetting& setting, const std::string& name)
{
    const auto found = setting.options.find(name);
    return found == setting.options.end() || found->second.isNull()
        ? technique.options.get(name, technique.key).defaultValue
        : found->second;
}

std::pair<std::string, std::string> splitRulePath(const std::string& path)
{
    const std::size_t dot = path.find('.');
    return dot == std::string::npos ? std::pair(path, std::string())
                                    : std::pair(path.substr(0, dot), path.substr(dot + 1));
}

} // namespace headroom::experiments
