// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/FinishedRun.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// A trial's record with what the files of a batch run look at, made from nothing.
inline experiments::OrderedJson batchRecord(const std::string& id, const std::string& outcome)
{
    using experiments::OrderedJson;
    OrderedJson record{{"trial_id", id}, {"config_id", "c" + id}, {"experiment", "sweep"}, {"label", "trial " + id},
        {"device", "sim:t4"}, {"runtime", "torch-2.11"}, {"predicted", true}, {"outcome", outcome},
        {"flags", OrderedJson::array()}, {"flag_reasons", OrderedJson::array()}, {"reason", nullptr}};
    record["model"]["name"] = "ffn-stack";
    record["memory"]["peak"] = {{"allocated_bytes", 1 << 20}, {"reserved_bytes", 1 << 21}, {"device_bytes", nullptr}};
    record["memory"]["fits"] = true;
    record["speed"] = {{"steps_per_second", 2.5}, {"step_seconds_median", 0.4}, {"ci95", nullptr}};
    return record;
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

/// A run of these records whose one budget has these verdicts.
inline FinishedRun batchRun(
    std::vector<experiments::OrderedJson> records, std::vector<experiments::BudgetVerdict> verdicts)
{
    FinishedRun run;
    run.workspace = "headroom.db";
    run.results.experiment = run.summary.experiment = "sweep";
    run.results.environment = {{"headroom_version", "1.2.3"}};
    for (const auto& record : records)
        ++run.summary.outcomes[protocol::outcomeFromText(record.at("outcome").get<std::string>())];
    run.summary.trials = std::ssize(records);
    run.results.trials = std::move(records);
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
