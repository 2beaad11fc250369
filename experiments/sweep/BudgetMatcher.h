// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/Budget.h"
#include "experiments/sweep/Sweep.h"

#include <span>
#include <vector>

namespace headroom::experiments {

/// Whether the budget is about the trial: it fits every pattern, and it is run, or the budget asks it to complete.
/// A device fits with its runtime and without ("sim:t4@torch-2.11", "sim:t4").
bool applies(const Budget& budget, const PlannedTrial& planned);

/// Throws UsageError for a budget that is about none of the trials of the whole sweep, and for a limit on a figure
/// that one of its trials can never have (a deviation where values are only simulated).
void requireUsable(const std::vector<Budget>& budgets, std::span<const PlannedTrial> sweep);

} // namespace headroom::experiments
