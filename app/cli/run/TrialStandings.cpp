// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/TrialStandings.h"

#include "experiments/results/RecordView.h"

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

const std::vector<TrialStandings::Entry>& TrialStandings::entries(const OrderedJson& record) const
{
    static const std::vector<Entry> kNone;
    const auto it = m_entries.find(RecordView(record).text("trial_id"));
    return it == m_entries.end() ? kNone : it->second;
}

BudgetResult TrialStandings::worst(const OrderedJson& record) const
{
    constexpr std::array kWorstFirst{
        BudgetResult::Exceeded, BudgetResult::Undecided, BudgetResult::Ambiguous, BudgetResult::Held};
    const std::vector<Entry>& found = entries(record);
    for (const BudgetResult result : kWorstFirst)
        if (std::any_of(found.begin(), found.end(), [&](const Entry& e) { return e.verdict->result == result; }))
            return result;
    return BudgetResult::NotApplicable;
}

Standing TrialStandings::of(const OrderedJson& record) const
{
    const RecordView view(record);
    if (view.hasOutcome("failed") || view.hasOutcome("timed_out"))
        return Standing::Failed;
    const std::vector<Entry>& found = entries(record);
    const auto has = [&](BudgetResult result) {
        return std::any_of(found.begin(), found.end(), [&](const Entry& entry) {
            return entry.verdict->result == result
                && (result != BudgetResult::Ambiguous || entry.onAmbiguity == AmbiguityPolicy::Unusable);
        });
    };
    if (has(BudgetResult::Exceeded))
        return Standing::Exceeded;
    if (has(BudgetResult::Undecided) || has(BudgetResult::Ambiguous) || view.hasFlag("not_steady")
        || view.hasFlag("implausible"))
        return Standing::Unusable;
    if (view.hasOutcome("cancelled"))
        return Standing::Cancelled;
    if (view.hasOutcome("out_of_memory"))
        return Standing::OutOfMemory;
    return view.hasOutcome("skipped") ? Standing::Skipped : Standing::Good;
}

std::vector<std::string> TrialStandings::complaints(const OrderedJson& record) const
{
    std::vector<std::string> lines;
    for (const Entry& entry : entries(record))
        if (entry.verdict->result != BudgetResult::Held)
            lines.push_back(toText(entry.verdict->result) + ": " + entry.verdict->budget + ": " + entry.verdict->text);
    return lines;
}

} // namespace headroom::cli
