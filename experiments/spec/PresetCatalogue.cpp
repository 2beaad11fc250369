// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/PresetCatalogue.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/toml/TomlText.h"
#include "experiments/spec/InputText.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

Preset readPreset(const fs::path& file)
{
    const toml::table table = parseToml(readInput(file, "preset", "a TOML file"), file.string());
    return {file.stem().string(), table["title"].value_or(std::string()), table["description"].value_or(std::string()),
        file};
}

std::vector<fs::path> presetFiles(const fs::path& resourceDirectory)
{
    std::vector<fs::path> files;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(resourceDirectory / "presets", missing))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

std::vector<Preset> listPresets(const fs::path& resourceDirectory)
{
    std::vector<Preset> presets;
    for (const fs::path& file : presetFiles(resourceDirectory))
        presets.push_back(readPreset(file));
    return presets;
}

namespace {

// "--checkpointing none all": the second word is taken for the preset.
std::string hintOnSecondValue(const std::string& name)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        try {
            config::makeSetting(technique, name, {}, "");
            return "; several values of one flag have commas between them: none," + name;
        } catch (const UsageError&) {
            continue; // no setting of this one
        }
    return {};
}

} // namespace

Preset findPreset(const std::string& name, const fs::path& resourceDirectory, const std::string& where)
{
    std::vector<std::string> names;
    for (const fs::path& file : presetFiles(resourceDirectory)) {
        names.push_back(file.stem().string());
        if (names.back() == name)
            return readPreset(file);
    }
    const std::string hint = didYouMean(config::closestName(name, names));
    throw UsageError("unknown preset \"" + name + "\"" + (hint.empty() ? hintOnSecondValue(name) : hint), where,
        (names.empty() ? "" : joined(names) + ", or ") + "a file: FOLDER/NAME.toml");
}

bool isSpecFile(const std::string& argument)
{
    return argument.find('/') != std::string::npos || argument.ends_with(".toml");
}

} // namespace headroom::experiments
