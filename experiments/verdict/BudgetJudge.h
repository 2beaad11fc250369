// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/RunSummary.h"
#include "experiments/sweep/Sweep.h"

#include <span>
#include <vector>

namespace headroom::experiments {

/// What the limit says about a finished trial. Memory, deviations and predictions are compared exactly; a measured
/// speed by its 95 % interval.
BudgetVerdict judge(const Budget& budget, const BudgetLimit& limit, const TrialResult& result);

/// What each budget says about a run. `results` are those of `trials`.
std::vector<BudgetOutcome> judge(
    const std::vector<Budget>& budgets, std::span<const PlannedTrial> trials, const SweepResults& results);

} // namespace headroom::experiments
