// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "app/cli/run/FitTrial.h"
#include "experiments/plan/PredictedFit.h"
#include "experiments/results/TrialResult.h"

#include <optional>
#include <vector>

namespace headroom::cli {

/// What became of a search for the changes that a trial needs.
struct FitOutcome {
    FitTrial asked;
    experiments::TrialPrediction prediction; ///< of the trial as it was asked for
    std::optional<experiments::FitSearchResult> search; ///< nothing: it fits already, or could not be predicted
    bool wasStopped = false; ///< before the trial as it was asked for was predicted, or later
    experiments::TrialResult result; ///< of the trial as it was asked for
    std::vector<experiments::TrialResult> results; ///< of what was found, in its order

    bool fitsAlready() const;
    /// "found", "fits_already", "nothing_fits", "out_of_simulations", "cancelled", "failed"
    std::string end() const;
    /// 0 it fits, with changes or without; 1 nothing does; 3 predictions failed; 4 the search ended without an answer;
    /// 130 interrupted.
    int exitCode() const;
};

/// A table with the lines that run what was found; the document `headroom.fit/1`, whose `found` are the records.
Report fitReport(const FitOutcome& outcome);

/// What the search came to, in a sentence or two.
std::string fitSentence(const FitOutcome& outcome);

} // namespace headroom::cli
