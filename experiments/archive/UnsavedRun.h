// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/Sweep.h"
#include "profiling/store/traces/Rows.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A repeat that has ended, as a workspace would keep it; but for its trace.
struct UnsavedRepeat {
    std::size_t trial = 0; ///< index among the planned trials
    int repeat = 0;
    protocol::RepeatResult result;
    store::Timestamp startedAt;
};

/// What a run had in memory when its workspace could not take any more: all repeats that ended, those that it had
/// stored included.
struct UnsavedRun {
    ExperimentSpec spec;
    std::vector<PlannedTrial> trials;
    std::string commandLine;
    std::string environmentJson;
    std::vector<UnsavedRepeat> repeats;
};

/// Adds the run to another workspace, which is made where there is none, as an experiment that was interrupted:
/// `headroom run --resume` goes on with it. Throws FileError.
void saveRun(const UnsavedRun& run, const std::filesystem::path& workspace);

/// A name that is free, beside the workspace: "headroom.rescued.db", "headroom.rescued-2.db". Where nothing can be
/// written beside it, in the folder for temporary files.
std::filesystem::path rescueFileFor(const std::filesystem::path& workspace);

} // namespace headroom::experiments
