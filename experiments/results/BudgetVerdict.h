// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "experiments/results/OrderedJson.h"
#include "experiments/spec/Budget.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Held and Exceeded are decided with evidence. Ambiguous: the confidence interval of a measured speed contains the
/// limit. Undecided: the trial has no figure to compare, or none that can be trusted. NotApplicable: no trial in this
/// part of the sweep matches the budget.
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
    std::string figure; ///< dotted key of the compared figure in the trial's record
    config::Value found; ///< its value there; null if unknown
    config::Value allowed; ///< in the unit of the figure
    BudgetResult result = BudgetResult::Undecided;
    std::string text; ///< for people: "predicted peak reserved memory: 9.021 GiB, more than 6 GiB"
};

/// What a budget says about the trials of a run.
struct BudgetOutcome {
    std::string name;
    AmbiguityPolicy onAmbiguity = AmbiguityPolicy::Unusable;
    std::int64_t trials = 0; ///< trials of this run that it matches
    std::int64_t notRun = 0; ///< those of them that did not finish: interrupted, or stopped at the first failure
    std::vector<BudgetVerdict> verdicts; ///< of the finished trials, in sweep order

    std::int64_t count(BudgetResult result) const;
    /// The worst of the verdicts: exceeded, undecided (also if trials were not run), ambiguous, held.
    BudgetResult result() const;
};

/// An entry of `budgets` in the summary.
OrderedJson toJson(const BudgetOutcome& outcome);

} // namespace headroom::experiments
