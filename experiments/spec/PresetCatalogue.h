// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A spec that comes with the program: one TOML file in presets/ of the resource folder.
struct Preset {
    std::string name; ///< the file's name without ".toml"
    std::string title; ///< top-level key `title` of the file; may be empty
    std::string description; ///< top-level key `description`; may be empty
    std::filesystem::path file;

    bool operator==(const Preset&) const = default;
};

/// Every preset, sorted by name; none where the folder is missing. Throws UsageError for a file that is not TOML.
std::vector<Preset> listPresets(const std::filesystem::path& resourceDirectory);

/// Throws UsageError at `where`, naming the closest and all presets, when there is none of that name.
Preset findPreset(
    const std::string& name, const std::filesystem::path& resourceDirectory, const std::string& where = "preset");

/// How `headroom run` reads its positional argument: anything with a "/" or ending in ".toml" is a file, a bare word
/// is a preset's name.
bool isSpecFile(const std::string& argument);

} // namespace headroom::experiments
