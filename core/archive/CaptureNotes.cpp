// SPDX-License-Identifier: Apache-2.0
#include "core/archive/CaptureNotes.h"

#include "core/base/Error.h"

namespace headroom::archive {
namespace {

constexpr const char* kSchema = "headroom.capture/1";

std::string textOrEmpty(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> textsOf(const Json& json, const char* key, const std::string& where)
{
    std::vector<std::string> texts;
    const auto found = json.find(key);
    if (found == json.end() || found->is_null())
        return texts;
    if (!found->is_array())
        throw FileError("found " + std::string(found->type_name()), where + ": " + key, "a list of texts");
    for (const Json& text : *found) {
        if (!text.is_string())
            throw FileError("found " + std::string(text.type_name()), where + ": " + key, "a list of texts");
        texts.push_back(text.get<std::string>());
    }
    return texts;
}

std::map<std::string, std::string> textMap(const Json& json, const std::string& where)
{
    std::map<std::string, std::string> texts;
    if (!json.is_object())
        throw FileError("found " + std::string(json.type_name()), where, "an object of texts");
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string())
            throw FileError("found " + std::string(value.type_name()), where + "." + key, "text");
        texts.emplace(key, value.get<std::string>());
    }
    return texts;
}

void requireSchema(const Json& json, const std::string& where)
{
    const std::string schema = textOrEmpty(json, "schema");
    if (schema != kSchema)
        throw FileError(schema.empty() ? "has no schema" : "has the schema \"" + schema + "\"", where, kSchema);
}

void readTies(const Json& json, const std::string& where, CaptureNotes& notes)
{
    const auto tied = json.find("tied");
    if (tied == json.end() || !tied->is_object())
        return;
    for (const auto& [name, others] : tied->items())
        for (const std::string& other : textsOf(*tied, name.c_str(), where + ": tied"))
            notes.tied.emplace(other, name);
}

void readFunctions(const Json& json, CaptureNotes& notes)
{
    const auto functions = json.find("autograd_functions");
    if (functions == json.end() || !functions->is_array())
        return;
    for (const Json& function : *functions)
        if (function.is_object())
            notes.lostFunctions.push_back({textOrEmpty(function, "name"), textOrEmpty(function, "source")});
}

} // namespace

CaptureNotes readCaptureNotes(const Json& json, const std::string& where)
{
    if (!json.is_object())
        throw FileError("found " + std::string(json.type_name()), where, "an object");
    requireSchema(json, where);
    CaptureNotes notes;
    notes.isPresent = true;
    notes.model = textOrEmpty(json, "model");
    if (const auto training = json.find("training"); training != json.end() && training->is_boolean())
        notes.isTraining = training->get<bool>();
    if (const auto autocast = json.find("autocast"); autocast != json.end() && autocast->is_object())
        notes.autocast = textOrEmpty(*autocast, "dtype");
    notes.exportedOn = textOrEmpty(json, "exported_on");
    notes.blockClasses = textsOf(json, "block_classes", where);
    notes.blocks = textsOf(json, "blocks", where);
    notes.frozen = textsOf(json, "frozen", where);
    notes.keptFromCasting = textsOf(json, "kept_from_casting", where);
    readTies(json, where, notes);
    readFunctions(json, notes);
    if (const auto lifetimes = json.find("lifetimes");
        lifetimes != json.end() && lifetimes->is_object() && lifetimes->contains("inference"))
        notes.lifetimes = textMap(lifetimes->at("inference"), where + ": lifetimes.inference");
    if (const auto versions = json.find("versions"); versions != json.end() && versions->is_object())
        notes.versions = textMap(*versions, where + ": versions");
    return notes;
}

} // namespace headroom::archive
