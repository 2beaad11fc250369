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

/// What the arguments ask to run.
struct RunPlan {
    experiments::ExperimentSpec spec; ///< with the budgets from `--budgets` after its own
    std::vector<experiments::PlannedTrial> trials; ///< the sweep's trials after `--filter` and then `--shard`
    std::optional<Shard> shard;
    std::size_t unshardedTrials = 0; ///< number of trials after `--filter`
    std::set<std::string> traced; ///< ids of the trials that record a trace
    std::string task; ///< what all trials do, in one line; empty if there are none
};

/// Reads, expands and checks everything without running or writing anything. Throws UsageError and FileError.
RunPlan planOf(const RunArguments& arguments);

/// What `--dry-run` prints: the trials that a run would have, with their ids, and which it would skip and why.
Report planReport(const RunPlan& plan);

} // namespace headroom::cli
