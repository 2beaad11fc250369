// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "app/cli/plan/FillPlan.h"
#include "experiments/results/TrialResult.h"
#include "experiments/verdict/FitVerdict.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// One combination, and how far its device could be filled.
struct FillRow {
    std::string label;
    experiments::FilledTrial filled;
    experiments::TrialResult result; ///< of `filled.trial`; not run where nothing was predicted
    experiments::FitVerdict verdict; ///< of the same

    bool hasValue() const { return filled.value.has_value(); }
    /// What is left of the memory at the value; nullopt without one.
    std::optional<Bytes> unfilledBytes() const;
};

struct FillOutcome {
    FillPlan plan;
    std::vector<FillRow> rows; ///< one for each task
    bool wasStopped = false;

    /// "found", "nothing_fits", "cancelled", "failed"
    std::string end() const;
    /// 0 something fits; 1 nothing does; 3 a prediction failed; 130 interrupted.
    int exitCode() const;
};

/// A table of the combinations and the document `headroom.fill/1`, whose `rows` are the records.
Report fillReport(const FillOutcome& outcome);

/// Which combination is the fastest at equal memory, and what was asked; a few sentences.
std::string fillSentences(const FillOutcome& outcome);

} // namespace headroom::cli
