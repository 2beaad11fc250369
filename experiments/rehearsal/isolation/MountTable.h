// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::experiments {

/// What is mounted, as this process sees it.
struct MountedPlace {
    std::string path{};
    std::string type{};
    bool isWritable = true;
    bool isSeen = true; ///< false: another one lies over it, or it cannot be looked at
};

/// Sorted by path, each of which is seen once at most.
std::vector<MountedPlace> mountedPlaces();

/// Whether a path is that of a folder, or lies below it.
bool isBelow(const std::string& path, const std::string& folder);

} // namespace headroom::experiments
