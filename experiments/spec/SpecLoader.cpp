// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecLoader.h"

#include "core/base/Error.h"
#include "experiments/spec/InputText.h"
#include "experiments/spec/ModelFiles.h"
#include "experiments/spec/PresetCatalogue.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

std::string specContents(const std::filesystem::path& file)
{
    return readInput(file, "spec", "a TOML file, or the name of a preset");
}

// A model by its name and one by its file stand for each other: the later of the two counts.
void layOver(SpecSettings& settings, const SpecSetting& setting)
{
    if (setting.path == "model.name")
        settings.erase("model.config");
    if (setting.path == "model.config")
        settings.erase("model.name");
    settings.insert_or_assign(setting.path, setting);
}

// Each part on top of the top level, the overrides on top of each part.
std::vector<SpecSettings> laidOver(const SpecDocument& document, const SpecOverrides& overrides)
{
    std::vector<SpecSettings> parts(std::max<std::size_t>(1, document.parts.size()), document.settings);
    for (std::size_t i = 0; i < document.parts.size(); ++i)
        for (const auto& [path, setting] : document.parts[i])
            layOver(parts[i], setting);
    for (SpecSettings& part : parts)
        for (const SpecSetting& setting : overrides.settings())
            layOver(part, setting);
    return parts;
}

std::string firstGiven(const std::string& a, const std::string& b, const std::string& c)
{
    return !a.empty() ? a : !b.empty() ? b : c;
}

ExperimentSpec specOf(const SpecDocument& document, const SpecOverrides& overrides, const std::string& fallbackName,
    const std::string& source = {})
{
    ExperimentSpec spec;
    spec.source = source;
    spec.name = firstGiven(overrides.name(), document.name, fallbackName);
    spec.title = document.title;
    spec.description = document.description;
    spec.parts = laidOver(document, overrides);
    spec.excludes = document.excludes;
    spec.budgets = document.budgets;
    resolveModelFiles(spec);
    return spec;
}

ExperimentSpec specOfText(
    const std::string& toml, const std::string& source, const SpecOverrides& overrides, const std::string& fallbackName)
{
    ExperimentSpec spec = specOf(readSpecDocument(toml, source), overrides, fallbackName, source);
    spec.toml = toml;
    return spec;
}

constexpr const char* kUnnamed = "adhoc";

} // namespace

ExperimentSpec loadSpecFile(const std::filesystem::path& file, const SpecOverrides& overrides)
{
    return loadSpecText(specContents(file), file.string(), overrides);
}

ExperimentSpec loadPreset(
    const std::string& name, const std::filesystem::path& resourceDirectory, const SpecOverrides& overrides)
{
    const Preset preset = findPreset(name, resourceDirectory);
    return specOfText(specContents(preset.file), preset.file.string(), overrides, preset.name);
}

ExperimentSpec loadOverrides(const SpecOverrides& overrides)
{
    return specOf({}, overrides, kUnnamed);
}

ExperimentSpec loadSpecDocument(const SpecDocument& document, const std::string& source)
{
    return specOf(document, {}, kUnnamed, source);
}

ExperimentSpec loadSpecText(const std::string& toml, const std::string& source, const SpecOverrides& overrides)
{
    return specOfText(toml, source, overrides, kUnnamed);
}

} // namespace headroom::experiments
