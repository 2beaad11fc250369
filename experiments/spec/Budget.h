// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// What a budget asks of a trial.
enum class LimitKind {
    Peak, ///< most bytes after warm-up
    StepsPerSecond, ///< fewest
    OutputRelL2, ///< most, against the model without techniques; so the next two
    LossAbsDiff,
    GradNormRelDiff,
    Fits, ///< memory.fits
    Completion ///< the outcome is "completed"
};

/// Which of the allocator's figures a peak is. Default is reserved where the device has it, else allocated.
enum class PeakFigure { Default, Allocated, Reserved, Device };

struct BudgetLimit {
    LimitKind kind = LimitKind::Peak;
    double amount = 0; ///< bytes, steps per second or a deviation; of no meaning for Fits and Completion
    PeakFigure peak = PeakFigure::Default;
    std::string key; ///< as it was written: "max_peak_gib"
    config::Value allowed; ///< as it was written: 12
    std::string where; ///< for messages: "budgets.toml:4:1: budget.max_peak_gib"
};

/// Trials whose value fits one of the globs.
struct BudgetPattern {
    std::string path; ///< model, device, label or a technique's key
    std::vector<std::string> globs;
};

/// What happens when a measured speed is too noisy to say whether a limit holds.
enum class AmbiguityPolicy { Unusable, Pass };

/// Limits for the trials that fit all patterns.
struct Budget {
    std::string name;
    std::string where;
    std::vector<BudgetPattern> patterns; ///< none: every trial
    std::vector<BudgetLimit> limits; ///< at least one
    AmbiguityPolicy onAmbiguity = AmbiguityPolicy::Unusable;
};

/// The keys of a [[budget]] table with their values, as a file would have them: what `readBudgetText` reads back.
std::vector<std::pair<std::string, config::Value>> budgetEntries(const Budget& budget);

/// The same as TOML, the header included.
std::string budgetToml(const std::vector<std::pair<std::string, config::Value>>& entries);

} // namespace headroom::experiments
