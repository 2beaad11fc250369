// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/SettingSuggestion.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Suggestion.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/config/techniques/OptimizerDescriptor.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace headroom::config {
namespace {

// Notations of at least this length are corrected if misspelt.
constexpr std::size_t kShortNotation = 4;

// Placeholders for a number or a list in the text of a notation's form, each with an example.
constexpr std::array kPlaceholders{std::pair{"R", "16"}, std::pair{"N", "2"}, std::pair{"LIST", "0-3"}};

// "lora:16" for the form "lora:R" and the word "lora"; empty for other words and forms.
std::string exampleOf(const std::string& form, const std::string& word)
{
    for (const auto& [placeholder, example] : kPlaceholders)
        if (form == word + ":" + placeholder)
            return word + ":" + example;
    return {};
}

bool isWord(const std::string& form)
{
    return std::none_of(form.begin(), form.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '.'; });
}

using Paths = std::map<std::string, std::string>;

void addPaths(Paths& paths, const std::string& table, const FieldSet& fields)
{
    for (const Field& field : fields.all())
        paths.emplace(field.name, table + "." + field.name);
}

// If several tables have a name, the one that most people set comes first.
Paths pathsByName()
{
    Paths paths;
    addPaths(paths, "workload", workloadFields());
    for (const ModelFamily& family : modelFamilies())
        addPaths(paths, "workload", family.shapes);
    addPaths(paths, "protocol", protocolFields());
    paths.emplace("timeout_seconds", "protocol.timeout_seconds");
    for (const char* field : {"memory_limit_bytes", "segment_addresses", "allocator"})
        paths.emplace(field, std::string("device.") + field);
    for (const ModelFamily& family : modelFamilies())
        addPaths(paths, "model", family.fields);
    for (const char* field : {kWeightsField, "config"})
        paths.emplace(field, std::string("model.") + field);
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        addPaths(paths, technique.key, technique.options);
    return paths;
}

} // namespace

std::string closestNotation(const TechniqueDescriptor& technique, const std::string& notation)
{
    std::vector<std::string> words;
    for (const NotationForm& form : technique.forms) {
        if (const std::string example = exampleOf(form.form, notation); !example.empty())
            return example;
        if (isWord(form.form))
            words.push_back(form.form);
    }
    const std::string own = ownWordFor(notation, words);
    return own.empty() && notation.size() >= kShortNotation ? closestName(notation, words) : own;
}

std::string closestPath(const std::string& name)
{
    const Paths paths = pathsByName();
    if (const auto found = paths.find(name); found != paths.end())
        return found->second;
    std::vector<std::string> names;
    for (const auto& [known, path] : paths)
        names.push_back(known);
    const std::string closest = closestChoice(name, names);
    return closest.empty() ? "" : paths.at(closest);
}

// A notation that matches none of ours may be another program's word; mistakes in our own have their own message.
std::string canonicalNotation(
    const TechniqueDescriptor& technique, const std::string& notation, const std::string& where)
{
    try {
        return technique.normalise(notation, where);
    } catch (const UsageError& error) {
        if (error.problem() != "found \"" + notation + "\"")
            throw;
        throw UsageError(
            error.problem() + didYouMean(closestNotation(technique, notation)), error.where(), error.valid());
    }
}

std::string notationMeant(const TechniqueDescriptor& technique, const std::string& notation, const ValueMap& given,
    DeviceKind device, const std::string& where)
{
    const std::string canonical = canonicalNotation(technique, notation, where);
    return technique.key == kOptimizerKey ? optimizerMeant(notation, given, device, where) : canonical;
}

} // namespace headroom::config
