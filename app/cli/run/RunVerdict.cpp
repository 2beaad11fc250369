// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/RunVerdict.h"

#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace headroom::cli {

using namespace experiments;

namespace {

constexpr std::int64_t kMostLines = 10;

std::string trialsAndOutcomes(const RunSummary& summary)
{
    const std::string outcomes = outcomeCounts(summary);
    return counted(summary.trials, "trial") + (outcomes.empty() ? "" : ": " + outcomes);
}

// "Budgets: 1 exceeded, 2 held."
std::string budgets(const RunSummary& summary)
{
    std::vector<std::pair<std::int64_t, std::string>> counts;
    for (const BudgetResult result : {BudgetResult::Exceeded, BudgetResult::Undecided, BudgetResult::Ambiguous,
             BudgetResult::Held, BudgetResult::NotApplicable}) {
        const auto count = std::count_if(summary.budgets.begin(), summary.budgets.end(),
            [&](const BudgetOutcome& budget) { return budget.result() == result; });
        counts.emplace_back(count, inWords(toText(result)));
    }
    const std::string text = tallied(counts);
    return text.empty() ? "" : " Budgets: " + text + ".";
}

// The number of trials with the same verdict as the budget as a whole.
std::size_t trialsConcerned(const BudgetOutcome& budget)
{
    std::set<std::string> ids;
    for (const BudgetVerdict& verdict : budget.verdicts)
        if (verdict.result == budget.result())
            ids.insert(verdict.trialId);
    return ids.size();
}

Colour budgetColour(BudgetResult result)
{
    switch (result) {
    case BudgetResult::Held:
        return Colour::Green;
    case BudgetResult::Exceeded:
        return Colour::Red;
    case BudgetResult::Ambiguous:
    case BudgetResult::Undecided:
        return Colour::Yellow;
    case BudgetResult::NotApplicable:
        break;
    }
    return Colour::Plain;
}

void printVerdicts(const BudgetOutcome& budget, Console& console)
{
    std::int64_t lines = 0;
    for (const BudgetVerdict& verdict : budget.verdicts)
        if (verdict.result != BudgetResult::Held && lines++ < kMostLines)
            console.line(fmt::format("  {}: {} {}: {}", inWords(toText(verdict.result)), verdict.trialId.substr(0, 8),
                verdict.label, verdict.text));
    if (lines > kMostLines)
        console.line(fmt::format("  and {} more (--format json, --junit and --summary name all)", lines - kMostLines));
}

} // namespace

std::string outcomeCounts(const RunSummary& summary)
{
    std::vector<std::pair<std::int64_t, std::string>> counts;
    for (const auto& [outcome, count] : summary.outcomes)
        counts.emplace_back(count, inWords(toText(outcome)));
    counts.emplace_back(summary.notRun, "not run");
    return tallied(counts);
}

std::string verdictWord(const RunSummary& summary)
{
    switch (summary.exitCode()) {
    case 0:
        return "passed";
    case 4:
        return "not usable";
    case 130:
        return "interrupted";
    default:
        return "failed";
    }
}

std::string verdictSentence(const RunSummary& summary)
{
    return trialsAndOutcomes(summary) + "." + budgets(summary) + fmt::format(" Exit code {}.", summary.exitCode());
}

std::string extentOf(const BudgetOutcome& budget)
{
    if (budget.trials == 0)
        return "no trial in this part of the sweep";
    std::string text = counted(budget.trials, "trial");
    if (budget.result() != BudgetResult::Held)
        text = countedOf(std::int64_t(trialsConcerned(budget)), budget.trials, "trial");
    return budget.notRun > 0 ? text + ", " + grouped(budget.notRun) + " not run" : text;
}

void printBudgets(const RunSummary& summary, Console& console)
{
    for (const BudgetOutcome& budget : summary.budgets) {
        const BudgetResult result = budget.result();
        console.colouredLine({{"budget "}, {inWords(toText(result)), budgetColour(result)},
            {": " + budget.name + ": " + extentOf(budget)}});
        printVerdicts(budget, console);
    }
}

} // namespace headroom::cli
