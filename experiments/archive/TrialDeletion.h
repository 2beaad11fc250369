// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

namespace headroom::experiments {

/// What a deletion took out of a workspace.
struct DeletedTrials {
    std::int64_t trials = 0;
    bool isExperimentGone = false; ///< these were the last trials that it had
};

/// Deletes trials of an experiment by their ids, with their repeats, samples and traces; with the last one the
/// experiment itself. Ids that it does not have are ignored. Nothing brings them back. Throws FileError if a run is at
/// the experiment, whether in this process or another one, or if the workspace cannot be written.
DeletedTrials deleteTrials(
    const std::filesystem::path& workspace, std::int64_t experiment, const std::set<std::string>& trialIds);

} // namespace headroom::experiments
