// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostCatalogue.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"

#include <algorithm>
#include <optional>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using config::Value;

std::vector<fs::path> descriptionsIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

// diffusers' single class, or the first of transformers' list; empty: none is named.
std::string classNamedIn(const config::ValueMap& entries)
{
    const auto found = entries.find("_class_name");
    if (found != entries.end() && found->second.isText())
        return found->second.text();
    const auto list = entries.find("architectures");
    const bool isNamed = list != entries.end() && list->second.isList() && !list->second.list().empty();
    return isNamed && list->second.list().front().isText() ? list->second.list().front().text() : "";
}

std::string modelTypeIn(const config::ValueMap& entries)
{
    const auto found = entries.find("model_type");
    return found != entries.end() && found->second.isText() ? found->second.text() : "";
}

} // namespace

GhostCatalogue::GhostCatalogue(const fs::path& folder)
{
    for (const fs::path& file : descriptionsIn(folder / "layers"))
        for (auto& [name, layer] : readGhostLayers(file))
            if (!m_layers.emplace(name, std::move(layer)).second)
                throw UsageError("describes the layer \"" + name + "\" once more", file.string());
    for (const fs::path& file : descriptionsIn(folder))
        m_descriptions.push_back(readGhostDescription(file));
}

const GhostDescription* GhostCatalogue::ofClass(const std::string& name) const
{
    for (const GhostDescription& description : m_descriptions)
        if (std::ranges::find(description.classes, name) != description.classes.end())
            return &description;
    return nullptr;
}

const GhostDescription& GhostCatalogue::describing(const std::string& className, const std::string& where) const
{
    if (const GhostDescription* found = ofClass(className))
        return *found;
    throw UsageError("found the class \"" + className + "\", whose weights are not known", where, joined(classNames()));
}

std::pair<const GhostDescription*, std::string> GhostCatalogue::find(
    const config::ValueMap& entries, const std::string& where) const
{
    const std::string name = classNamedIn(entries);
    if (!name.empty())
        return {&describing(name, where + ": " + (entries.contains("_class_name") ? "_class_name" : "architectures")),
            name};
    const std::string type = modelTypeIn(entries);
    for (const GhostDescription& description : m_descriptions)
        if (std::ranges::find(description.modelTypes, type) != description.modelTypes.end())
            return {&description, description.classes.front()};
    throw UsageError(type.empty() ? "does not say of which class its model is"
                                  : "found the model_type \"" + type + "\", whose weights are not known",
        where, "_class_name or architectures of " + joined(classNames()));
}

std::vector<std::string> GhostCatalogue::classNames() const
{
    std::vector<std::string> names;
    for (const GhostDescription& description : m_descriptions)
        names.insert(names.end(), description.classes.begin(), description.classes.end());
    std::ranges::sort(names);
    return names;
}

} // namespace headroom::experiments
