// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/BudgetPrinter.h"

#include "app/cli/run/RunVerdict.h"
#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using namespace experiments;

namespace {

constexpr std::int64_t kMostLines = 10;

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
