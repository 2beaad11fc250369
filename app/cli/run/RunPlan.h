// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "app/cli/run/RunSession.h"
#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/Sweep.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::cli {

/// `--shard I/N`: part I (from 1) of the N disjoint parts that make up a sweep.
struct Shard {
    std::size_t number = 1;
    std::size_t count = 1;

    /// Throws UsageError at `--shard` unless `text` is I/N with 1 <= I <= N.
    static Shard fromText(const std::string& text);
    /// "2/4"
    std::string text() const;

    /// The trials of this part, in the same order. Trials are dealt to the parts in turn in the order of their ids,
    /// runnable and skipped ones separately. So the parts are the same on every machine, their sizes differ by at most
    /// one of each kind, and no pattern of the sweep (such as every other trial being slow) ends up in one part.
    std::vector<experiments::PlannedTrial> part(std::vector<experiments::PlannedTrial> trials) const;
};

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
