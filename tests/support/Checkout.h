// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace headroom {

/// The path of a file or folder in the sources from which the test was built: checkout("docs/contract.md").
inline std::filesystem::path checkout(const std::string& path)
{
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / path;
}

/// Presets, devices and runtimes as they are shipped.
inline std::filesystem::path shippedResources()
{
    return checkout("resources");
}

} // namespace headroom
