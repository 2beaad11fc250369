// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/TrialStandings.h"

#include <algorithm>
#include <array>

namespace headroom::cli {

using namespace experiments;

TrialStandings::TrialStandings(const RunSummary& summary)
{
    for (const BudgetOutcome& budget : summary.budgets)
        for (const BudgetVerdict& verdict : budget.verdicts)
            m_entries[verdict.trialId].push_back({&verdict, budget.onAmbiguity});
}

const std::vector<TrialStandings::Entry>& TrialStandings::entries(const TrialResult& result) const
{
    static const std::vector<Entry> kNone;
    const auto it = m_entries.find(result.trialId);
    return it == m_entries.end() ? kNone : it->second;
}

BudgetResult TrialStandings::worst(const TrialResult& trial) const
{
    constexpr std::array kWorstFirst{
        BudgetResult::Exceeded, BudgetResult::Undecided, BudgetResult::Ambiguous, BudgetResult::Held};
    const std::vector<Entry>& found = entries(trial);
    for (const BudgetResult result : kWorstFirst)
        if (std::any_of(found.begin(), found.end(), [&](const Entry& e) { return e.verdict->result == result; }))
            return result;
    return BudgetResult::NotApplicable;
}

Standing TrialStandings::of(const TrialResult& trial) const
{
    if (trial.outcome == Outcome::Failed || trial.outcome == Outcome::TimedOut)
        return Standing::Failed;
    const std::vector<Entry>& found = entries(trial);
    const auto has = [&](BudgetResult result) {
        return std::any_of(found.begin(), found.end(), [&](const Entry& entry) {
            return entry.verdict->result == result
                && (result != BudgetResult::Ambiguous || entry.onAmbiguity == AmbiguityPolicy::Unusable);
        });
    };
    if (has(BudgetResult::Exceeded))
        return Standing::Exceeded;
    if (has(BudgetResult::Undecided) || has(BudgetResult::Ambiguous) || trial.hasFlag("not_steady")
        || trial.hasFlag("implausible"))
        return Standing::Unusable;
    if (trial.outcome == Outcome::Cancelled)
        return Standing::Cancelled;
    if (trial.outcome == Outcome::OutOfMemory)
        return Standing::OutOfMemory;
    return trial.outcome == Outcome::Skipped ? Standing::Skipped : Standing::Good;
}

std::vector<std::string> TrialStandings::complaints(const TrialResult& result) const
{
    std::vector<std::string> lines;
    for (const Entry& entry : entries(result))
        if (entry.verdict->result != BudgetResult::Held)
            lines.push_back(toText(entry.verdict->result) + ": " + entry.verdict->budget + ": " + entry.verdict->text);
    return lines;
}

} // namespace headroom::cli
