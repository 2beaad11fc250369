// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/SpecWriter.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/protocol/Json.h"
#include "experiments/spec/Budget.h"
#include "experiments/spec/BudgetReader.h"
#include "experiments/spec/SettingField.h"

#include <algorithm>
#include <array>

namespace headroom::experiments {
namespace {

constexpr std::array kWrittenTables{"model", "workload", "techniques", "device", "protocol"};

// A model that was read from an archive is named by its file, from which it gets its name when the text is read.
SpecSettings withArchives(SpecSettings settings)
{
    const std::string kArchivePath = std::string("model.") + config::kArchiveField;
    const auto archive = settings.find(kArchivePath);
    const auto name = settings.find("model.name");
    if (archive == settings.end() || name == settings.end() || !name->second.value.isText()
        || !config::isImportedName(name->second.value.text()))
        return settings;
    name->second.value = archive->second.value;
    settings.erase(archive);
    return settings;
}

using SpecEntries = std::map<std::string, config::Value>; // key within its table

// "techniques.ema" and "techniques.ema.decay" are keys of one table; every other path is TABLE.KEY.
std::map<std::string, SpecEntries> tablesOf(const SpecSettings& settings)
{
    std::map<std::string, SpecEntries> tables;
    for (const auto& [path, setting] : settings) {
        auto [table, key] = splitPath(path);
        if (table == "techniques") {
            const auto dot = key.find('.');
            table += "." + key.substr(0, dot);
            key = dot == std::string::npos ? "notation" : key.substr(dot + 1);
        }
        tables[table][key] = setting.value;
    }
    return tables;
}

// Sizes of an imported model's inputs have a dot in their names.
std::string keyText(const std::string& key)
{
    return key.find('.') == std::string::npos ? key : config::toToml(config::Value(key));
}

std::string tableText(const std::string& heading, const SpecEntries& entries)
{
    std::string text = "\n[" + heading + "]\n";
    if (const auto name = entries.find("name"); name != entries.end())
        text += "name = " + config::toToml(name->second) + "\n";
    for (const auto& [key, value] : entries)
        if (key != "name")
            text += keyText(key) + " = " + config::toToml(value) + "\n";
    return text;
}

std::string settingsText(const SpecSettings& settings, const std::string& prefix)
{
    const auto tables = tablesOf(settings);
    std::string text;
    for (const std::string wanted : kWrittenTables)
        for (const auto& [table, entries] : tables)
            if (table == wanted || table.starts_with(wanted + "."))
                text += tableText(prefix + table, entries);
    return text;
}

std::string excludeText(const ExcludeRule& rule)
{
    std::string text = "\n[[exclude]]\n";
    for (const SpecSetting& setting : rule.settings) {
        const bool isNotation =
            setting.path.starts_with("techniques.") && setting.path.find('.', 11) == std::string::npos;
        text += setting.path + (isNotation ? ".notation" : "") + " = " + config::toToml(setting.value) + "\n";
    }
    return text + "reason = " + config::toToml(config::Value(rule.reason)) + "\n";
}

bool isShared(const SpecSetting& setting, const std::vector<SpecSettings>& parts)
{
    return std::all_of(parts.begin(), parts.end(), [&](const SpecSettings& part) {
        const auto found = part.find(setting.path);
        return found != part.end() && found->second.value == setting.value;
    });
}

SpecSettings sharedSettings(const std::vector<SpecSettings>& parts)
{
    SpecSettings shared;
    for (const auto& [path, setting] : parts.front())
        if (isShared(setting, parts))
            shared.emplace(path, setting);
    return shared;
}

SpecSettings withoutShared(SpecSettings settings, const SpecSettings& shared)
{
    std::erase_if(settings, [&](const auto& entry) { return shared.contains(entry.first); });
    return settings;
}

std::string line(const char* key, const std::string& text)
{
    return text.empty() ? "" : std::string(key) + " = " + config::toToml(config::Value(text)) + "\n";
}

SpecSettings settingsFromJson(const protocol::Json& json, const std::string& where)
{
    SpecSettings settings;
    for (const auto& [path, value] : json.items())
        settings.insert_or_assign(path, SpecSetting{path, protocol::valueFromJson(value), where});
    return settings;
}

ExcludeRule ruleFromJson(const protocol::Json& json, const std::string& where)
{
    ExcludeRule rule{{}, json.at("reason").get<std::string>(), where};
    for (const auto& [path, value] : json.at("settings").items())
        rule.settings.push_back({path, protocol::valueFromJson(value), where});
    return rule;
}

// By way of the text that people write: its reader knows what each key means.
std::vector<Budget> budgetsFromJson(const protocol::Json& json, const std::string& where)
{
    std::string toml;
    for (const auto& table : json) {
        std::vector<std::pair<std::string, config::Value>> entries;
        for (const auto& [key, value] : table.items())
            entries.emplace_back(key, protocol::valueFromJson(value));
        toml += budgetToml(entries);
    }
    return toml.empty() ? std::vector<Budget>() : readBudgetText(toml, where);
}

// What is null was not given, and TOML has no word for it.
void put(SpecSettings& settings, const std::string& path, const config::Value& value)
{
    if (!value.isNull())
        settings.insert_or_assign(path, SpecSetting{path, value, "trial"});
}

// An option of a technique that is off does not count, and may not be given.
void putTechniques(SpecSettings& settings, const config::Configuration& configuration)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const config::TechniqueSetting& chosen = configuration.techniques.at(technique.key);
        const std::string path = "techniques." + technique.key;
        put(settings, path, chosen.notation);
        if (config::isChosen(technique, chosen))
            for (const auto& [option, value] : chosen.options)
                put(settings, path + "." + option, value);
    }
}

SpecSettings settingsOf(const config::Trial& trial)
{
    SpecSettings settings;
    put(settings, "model.name", trial.configuration.model);
    for (const auto& [field, value] : trial.configuration.modelFields)
        put(settings, "model." + field, value);
    for (const auto& [field, value] : config::toValues(trial.configuration.workload))
        put(settings, "workload." + field, value);
    putTechniques(settings, trial.configuration);
    put(settings, "device.name", trial.device.notation());
    if (trial.memoryLimitBytes)
        put(settings, "device.memory_limit_bytes", *trial.memoryLimitBytes);
    if (trial.segmentAddresses)
        put(settings, "device.segment_addresses", config::toText(*trial.segmentAddresses));
    if (!trial.allocator.empty())
        put(settings, "device.allocator", trial.allocator);
    for (const auto& [field, value] : config::toValues(trial.protocol))
        put(settings, "protocol." + field, value);
    return settings;
}

} // namespace

std::string writeSpec(const ExperimentSpec& resolved)
{
    ExperimentSpec spec = resolved;
    for (SpecSettings& part : spec.parts)
        part = withArchives(std::move(part));
    std::string text = line("name", spec.name) + line("title", spec.title) + line("description", spec.description);
    const SpecSettings shared = sharedSettings(spec.parts);
    text += settingsText(shared, "");
    for (const SpecSettings& part : spec.parts)
        if (spec.parts.size() > 1)
            text += "\n[[part]]\n" + settingsText(withoutShared(part, shared), "part.");
    for (const ExcludeRule& rule : spec.excludes)
        text += excludeText(rule);
    for (const Budget& budget : spec.budgets)
        text += budgetToml(budgetEntries(budget));
    return text;
}

ExperimentSpec specFromCanonicalJson(const std::string& json, const std::string& where)
{
    try {
        const auto document = protocol::Json::parse(json);
        ExperimentSpec spec;
        spec.name = document.at("name").get<std::string>();
        spec.source = where;
        for (const auto& part : document.at("parts"))
            spec.parts.push_back(settingsFromJson(part, where));
        for (const auto& rule : document.at("exclude"))
            spec.excludes.push_back(ruleFromJson(rule, where));
        spec.budgets = budgetsFromJson(document.value("budgets", protocol::Json::array()), where);
        if (spec.parts.empty())
            throw FileError("the stored spec has no part", where, "a workspace written by headroom run");
        return spec;
    } catch (const protocol::Json::exception& error) {
        throw FileError("the stored spec cannot be read: " + protocol::problemOf(error), where,
            "a workspace written by headroom run");
    }
}

ExperimentSpec specOfTrials(const std::string& name, std::span<const PlannedTrial> trials)
{
    ExperimentSpec spec;
    spec.name = name;
    for (const PlannedTrial& planned : trials)
        spec.parts.push_back(settingsOf(planned.trial));
    return spec;
}

} // namespace headroom::experiments
