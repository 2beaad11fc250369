// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/RunSummary.h"

#include <algorithm>

namespace headroom::experiments {

namespace {

// The other flags qualify a result; they do not make it unusable.
bool isUnusable(const RaisedFlag& raised)
{
    return raised.flag == "not_steady" || raised.flag == "implausible";
}

template <typename Property> bool hasBudget(const std::vector<BudgetOutcome>& budgets, Property property)
{
    return std::any_of(budgets.begin(), budgets.end(), property);
}

bool isUnusable(const BudgetOutcome& budget)
{
    const BudgetResult result = budget.result();
    return result == BudgetResult::Undecided
        || (result == BudgetResult::Ambiguous && budget.onAmbiguity == AmbiguityPolicy::Unusable);
}

OrderedJson budgetsRecord(const std::vector<BudgetOutcome>& budgets)
{
    if (budgets.empty())
        return nullptr;
    OrderedJson records = OrderedJson::array();
    for (const BudgetOutcome& budget : budgets)
        records.push_back(toJson(budget));
    return records;
}

} // namespace

std::vector<RaisedFlag> raisedFlags(const SweepResults& results)
{
    std::vector<RaisedFlag> flags;
    for (const auto& result : results)
        if (result)
            for (const TrialFlag& flag : result->flags)
                flags.push_back({result->trialId, flag.name, flag.reason});
    return flags;
}

std::int64_t RunSummary::count(Outcome outcome) const
{
    const auto it = outcomes.find(outcome);
    return it == outcomes.end() ? 0 : it->second;
}

// A job that tolerates exceeded budgets must still see a crash; one that repeats noisy runs must still see a budget
// that was clearly exceeded.
int RunSummary::exitCode() const
{
    if (interrupted)
        return 130;
    if (count(Outcome::Failed) + count(Outcome::TimedOut) + count(Outcome::Cancelled) > 0)
        return 3;
    if (hasBudget(budgets, [](const BudgetOutcome& budget) { return budget.result() == BudgetResult::Exceeded; }))
        return 1;
    const bool unusable = hasBudget(budgets, [](const BudgetOutcome& budget) { return isUnusable(budget); })
        || std::any_of(flags.begin(), flags.end(), [](const RaisedFlag& raised) { return isUnusable(raised); });
    return unusable ? 4 : 0;
}

OrderedJson toJson(const RunSummary& summary)
{
    OrderedJson json{{"schema", "headroom.summary/1"}, {"experiment", summary.experiment}, {"trials", summary.trials}};
    for (const Outcome outcome : kOutcomes)
        json[toText(outcome)] = outcome == Outcome::NotRun ? summary.notRun : summary.count(outcome);
    json["interrupted"] = summary.interrupted;
    json["wall_seconds"] = summary.seconds;
    json["flags"] = OrderedJson::array();
    for (const RaisedFlag& raised : summary.flags)
        json["flags"].push_back(
            OrderedJson{{"trial_id", raised.trialId}, {"flag", raised.flag}, {"reason", raised.reason}});
    json["budgets"] = budgetsRecord(summary.budgets);
    json["exit_code"] = summary.exitCode();
    return json;
}

} // namespace headroom::experiments
