// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace headroom {

/// The path of a file or folder in the sources from which the test was built: checkout("docs/contract.md"). Where the
/// sources are elsewhere, or only what tests read of them is there, the environment variable HEADROOM_SOURCE_DIR says
/// so.
inline std::filesystem::path checkout(const std::string& path)
{
    const char* given = std::getenv("HEADROOM_SOURCE_DIR");
    return std::filesystem::path(given != nullptr && *given != '\0' ? given : HEADROOM_SOURCE_DIR) / path;
}

/// A program that was built with the test, by the path where it was built: beside the test, in a build folder as in one
/// that scripts/gpu-pack has made.
inline std::filesystem::path builtProgram(const std::filesystem::path& built)
{
    const std::filesystem::path beside =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / built.filename();
    return std::filesystem::exists(beside) ? beside : built;
}

/// Presets, devices and runtimes as they are shipped.
inline std::filesystem::path shippedResources()
{
    return checkout("resources");
}

} // namespace headroom
