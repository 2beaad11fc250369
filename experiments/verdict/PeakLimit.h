// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "experiments/results/BudgetVerdict.h"
#include "experiments/results/TrialResult.h"
#include "experiments/spec/Budget.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// What came out of comparing one figure with its limit.
struct BudgetFinding {
    BudgetResult result = BudgetResult::Undecided;
    std::string text;
};

/// Undecided, because the trial has no such figure.
BudgetFinding withoutFigure(const TrialResult& result, const std::string& figure);

/// The peak that a limit is about: its dotted key in the trial's record, and its value.
struct LimitedPeak {
    std::string key;
    std::optional<Bytes> bytes;
};

LimitedPeak limitedPeak(const BudgetLimit& limit, const TrialResult& result);

/// Compares the peak after warm-up, exactly. A trial that ran out of memory exceeds the limit when what it had needed
/// by then is more, and is undecided otherwise.
BudgetFinding judgePeak(const BudgetLimit& limit, const TrialResult& result);

} // namespace headroom::experiments
