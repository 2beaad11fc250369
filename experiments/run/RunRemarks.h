// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/RunOptions.h"
#include "experiments/sweep/Sweep.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What is said of a run before its first trial: what it goes on with, what was found damaged, a folder where the
/// workspace is at risk, a variable that some would expect to be followed.
std::vector<std::string> remarksAtStart(RunMode mode, std::size_t keptRepeats, const std::vector<std::string>& damages,
    const std::filesystem::path& workspace, std::span<const PlannedTrial> trials);

} // namespace headroom::experiments
