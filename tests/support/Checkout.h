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

/// Presets, devices and runtimes as they are shipped.
inline std::filesystem::path shippedResources()
{
    return checkout("resources");
}

} // namespace headroom
