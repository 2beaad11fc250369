// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "app/cli/plan/PlanRequest.h"
#include "app/cli/plan/PlanVerification.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::cli {

/// A plan with what is printed of it.
struct PlanOutcome {
    PlanRequest request;
    experiments::PlanResult result;
    std::map<std::string, experiments::TrialResult> records; ///< by trial id; of tables: none
    std::vector<VerifiedChoice> verification;

    /// "found", "nothing_fits", "out_of_effort", "cancelled", "failed"
    std::string end() const;
    /// As of `headroom fit`: 0 there is an answer; 1 nothing fits; 3 nothing could be predicted, or a trial that was
    /// measured failed; 4 the search ended without an answer, or a prediction did not hold; 130 interrupted.
    int exitCode() const;
};

/// The answer first, with the line that runs it, then the front, then why other combinations lose; and the document
/// `headroom.plan/1`.
Report planOutcomeReport(const PlanOutcome& outcome);

/// The trials whose records the document has: answer, least memory and front, each once.
std::vector<experiments::PlannedTrial> recordedTrials(const PlanOutcome& outcome);

/// The result in one or two sentences.
std::string planSentence(const PlanOutcome& outcome);

} // namespace headroom::cli
