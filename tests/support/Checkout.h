// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace headroom {

/// A file or folder of the sources that the test was built from: checkout("docs/contract.md").
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
