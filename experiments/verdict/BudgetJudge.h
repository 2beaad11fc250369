// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/BudgetVerdict.h"
#include "experiments/sweep/Sweep.h"

#include <span>
#include <vector>

namespace headroom::experiments {

/// What the limit says about a finished trial, from the trial record `json` of the contract. Memory, deviations and
/// predictions are compared exactly; a measured speed by its 95 % interval.
BudgetVerdict judge(const Budget& budget, const BudgetLimit& limit, const OrderedJson& json);

/// What each budget says about a run. `records` are those of `trials`, null where a trial was not finished.
std::vector<BudgetOutcome> judge(
    const std::vector<Budget>& budgets, std::span<const PlannedTrial> trials, std::span<const OrderedJson> records);

} // namespace headroom::experiments
