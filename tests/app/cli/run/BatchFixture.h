// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/FinishedRun.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// A trial's result, built by hand, with the fields that the output files of a batch run use.
inline experiments::TrialResult batchResult(const std::string& id, Outcome outcome)
{
    experiments::TrialResult result;
    result.trialId = id;
    result.configId = "c" + id;
    result.experiment = "sweep";
    result.label = "trial " + id;
    result.device = "sim:t4";
    result.runtime = "torch-2.11";
    result.isPredicted = true;
    result.outcome = outcome;
    result.model.name = "ffn-stack";
    result.memory.peak.allocated = kMiB;
    result.memory.peak.reserved = 2 * kMiB;
    result.memory.fits = true;
    result.speed.stepsPerSecond = 2.5;
    result.speed.stepSeconds = 0.4;
    return result;
}

inline experiments::BudgetVerdict batchVerdict(
    const std::string& id, experiments::BudgetResult result, const std::string& text)
{
    experiments::BudgetVerdict verdict;
    verdict.budget = "small";
    verdict.trialId = id;
    verdict.label = "trial " + id;
    verdict.result = result;
    verdict.text = text;
    return verdict;
}

/// A run with these results and one budget that has these verdicts.
inline FinishedRun batchRun(
    std::vector<experiments::TrialResult> results, std::vector<experiments::BudgetVerdict> verdicts)
{
    FinishedRun run;
    run.workspace = "headroom.db";
    run.results.experiment = run.summary.experiment = "sweep";
    run.results.environment = {{"headroom_version", "1.2.3"}};
    for (const auto& result : results)
        ++run.summary.outcomes[result.outcome];
    run.summary.trials = std::ssize(results);
    run.results.trials = std::move(results);
    if (!verdicts.empty()) {
        experiments::BudgetOutcome budget;
        budget.name = "small";
        budget.trials = std::ssize(verdicts);
        budget.verdicts = std::move(verdicts);
        run.summary.budgets.push_back(std::move(budget));
    }
    return run;
}

} // namespace headroom::cli
