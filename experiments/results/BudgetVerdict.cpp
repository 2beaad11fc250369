// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/BudgetVerdict.h"

#include "core/protocol/Json.h"

#include <algorithm>
#include <array>

namespace headroom::experiments {
namespace {

OrderedJson toJson(const BudgetVerdict& verdict)
{
    return {{"trial_id", verdict.trialId}, {"label", verdict.label}, {"predicted", verdict.isPredicted},
        {"limit", verdict.limit}, {"figure", verdict.figure}, {"found", protocol::toJson(verdict.found)},
        {"allowed", protocol::toJson(verdict.allowed)}, {"result", toText(verdict.result)}, {"text", verdict.text}};
}

} // namespace

std::string toText(BudgetResult result)
{
    constexpr std::array kNames{"held", "exceeded", "ambiguous", "undecided", "not_applicable"};
    return kNames.at(static_cast<std::size_t>(result));
}

std::int64_t BudgetOutcome::count(BudgetResult result) const
{
    return std::count_if(
        verdicts.begin(), verdicts.end(), [&](const BudgetVerdict& verdict) { return verdict.result == result; });
}

BudgetResult BudgetOutcome::result() const
{
    if (trials == 0)
        return BudgetResult::NotApplicable;
    if (count(BudgetResult::Exceeded) > 0)
        return BudgetResult::Exceeded;
    if (notRun > 0 || count(BudgetResult::Undecided) > 0)
        return BudgetResult::Undecided;
    return count(BudgetResult::Ambiguous) > 0 ? BudgetResult::Ambiguous : BudgetResult::Held;
}

OrderedJson toJson(const BudgetOutcome& outcome)
{
    OrderedJson verdicts = OrderedJson::array();
    for (const BudgetVerdict& verdict : outcome.verdicts)
        verdicts.push_back(toJson(verdict));
    return {{"name", outcome.name}, {"result", toText(outcome.result())}, {"trials", outcome.trials},
        {"not_run", outcome.notRun}, {"verdicts", verdicts}};
}

} // namespace headroom::experiments
