// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "app/cli/plan/FitTrial.h"
#include "experiments/plan/PredictedFit.h"
#include "experiments/results/TrialResult.h"

#include <optional>
#include <vector>

namespace headroom::cli {

/// The outcome of a search for the changes with which a trial fits.
struct FitOutcome {
    FitTrial asked;
    experiments::TrialPrediction prediction; ///< of the trial as it was asked for
    std::optional<experiments::FitSearchResult> search; ///< nullopt: the trial fits already, or could not be predicted
    bool wasStopped = false; ///< at any time, also before the original trial was predicted
    experiments::TrialResult result; ///< of the trial as it was asked for
    std::vector<experiments::TrialResult> results; ///< of the changes found, in the same order

    bool fitsAlready() const;
    /// "found", "fits_already", "nothing_fits", "out_of_simulations", "cancelled", "failed"
    std::string end() const;
    /// 0 the trial fits, with or without changes; 1 nothing fits; 3 predictions failed; 4 the search ended without an
    /// answer; 130 interrupted.
    int exitCode() const;
};

/// A table with the command lines that run the changes found, and the document `headroom.fit/1`, whose `found` holds
/// the records.
Report fitReport(const FitOutcome& outcome);

/// The result of the search, in one or two sentences.
std::string fitSentence(const FitOutcome& outcome);

} // namespace headroom::cli
