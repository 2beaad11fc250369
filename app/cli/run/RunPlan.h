// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "app/cli/run/RunSession.h"
#include "app/cli/run/Shard.h"
#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/Sweep.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::cli {

/// What the arguments ask to be run.
struct RunPlan {
    experiments::ExperimentSpec spec; ///< with the budgets of `--budgets` after its own
    std::vector<experiments::PlannedTrial> trials; ///< what `--filter` and then `--shard` leave of the sweep
    std::optional<Shard> shard;
    std::size_t unshardedTrials = 0; ///< what `--filter` leaves
    std::set<std::string> traced; ///< ids of the trials that record a trace
    std::string task; ///< what all trials do, in one line; empty where there are none
};

/// Reads, expands and checks everything; nothing is run or written. Throws UsageError and FileError.
RunPlan planOf(const RunArguments& arguments);

/// What `--dry-run` prints: which trials a run would have, with their ids, and which it would skip and why.
Report planReport(const RunPlan& plan);

} // namespace headroom::cli
