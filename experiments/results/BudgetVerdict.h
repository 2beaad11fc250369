// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "experiments/results/OrderedJson.h"
#include "experiments/spec/Budget.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Held and Exceeded are decided with evidence. Ambiguous: a measured speed whose interval holds the limit. Undecided:
/// the trial has no figure to compare, or none that may be trusted. NotApplicable: a budget without trials in this part
/// of the sweep.
enum class BudgetResult { Held, Exceeded, Ambiguous, Undecided, NotApplicable };

/// "held", "exceeded", "ambiguous", "undecided", "not_applicable"
std::string toText(BudgetResult result);

/// What one limit of a budget says about one trial.
struct BudgetVerdict {
    std::string budget;
    std::string trialId;
    std::string label;
    bool isPredicted = false;
    std::string limit; ///< key of the limit: "max_peak_gib"
    std::string figure; ///< dotted key of the trial's record that is compared
    config::Value found; ///< its value there; null where it is unknown
    config::Value allowed; ///< in the unit of the figure
    BudgetResult result = BudgetResult::Undecided;
    std::string text; ///< for people: "predicted peak reserved memory: 9.021 GiB, more than 6 GiB"
};

/// What a budget says about the trials of a run.
struct BudgetOutcome {
    std::string name;
    AmbiguityPolicy onAmbiguity = AmbiguityPolicy::Unusable;
    std::int64_t trials = 0; ///< of this run that it is about
    std::int64_t notRun = 0; ///< of these, not finished: interrupted, or stopped at the first failure
    std::vector<BudgetVerdict> verdicts; ///< of the finished ones, in the order of the sweep

    std::int64_t count(BudgetResult result) const;
    /// The worst of the verdicts: exceeded, undecided (also when trials were not run), ambiguous, held.
    BudgetResult result() const;
};

/// An entry of `budgets` in the summary.
OrderedJson toJson(const BudgetOutcome& outcome);

} // namespace headroom::experiments
