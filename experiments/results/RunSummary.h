// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Outcome.h"
#include "experiments/results/BudgetVerdict.h"
#include "experiments/results/TrialResult.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A flag on a trial and why it was raised.
struct RaisedFlag {
    std::string trialId;
    std::string flag;
    std::string reason;

    bool operator==(const RaisedFlag&) const = default;
};

/// Every flag of the results, in the order of the results.
std::vector<RaisedFlag> raisedFlags(const SweepResults& results);

/// How an experiment ended.
struct RunSummary {
    std::string experiment;
    std::int64_t trials = 0; ///< planned trials, including skipped ones
    std::map<Outcome, std::int64_t> outcomes; ///< finished trials by outcome
    std::int64_t notRun = 0; ///< planned but not reached (interrupted, or stopped at the first failure)
    bool interrupted = false;
    double seconds = 0; ///< wall time of this run
    std::vector<RaisedFlag> flags; ///< of the whole sweep
    std::vector<BudgetOutcome> budgets;

    std::int64_t count(Outcome outcome) const;
    /// The first of these that applies: 130 the run was interrupted, 3 a trial failed, timed out or was cancelled, 1 a
    /// budget was exceeded, 4 a result is not steady or implausible or a budget could not be decided, else 0.
    int exitCode() const;
};

/// The `summary` object of a results document and the last line of jsonl.
OrderedJson toJson(const RunSummary& summary);

} // namespace headroom::experiments
