// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/BudgetVerdict.h"
#include "experiments/results/TrialResult.h"

#include <string>

namespace headroom::experiments {

/// What came out of comparing one figure with its limit.
struct BudgetFinding {
    BudgetResult result = BudgetResult::Undecided;
    std::string text;
};

/// Undecided, because the trial has no such figure.
BudgetFinding withoutFigure(const TrialResult& result, const std::string& figure);

} // namespace headroom::experiments
