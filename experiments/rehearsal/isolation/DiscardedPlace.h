// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

namespace headroom::experiments {

/// Where what a command writes can go until it is thrown away: a folder for temporary files on a disk of which an
/// overlay can be made. None: all are in memory, on a server, or on an overlay themselves.
std::optional<std::filesystem::path> placeForDiscarded();

} // namespace headroom::experiments
