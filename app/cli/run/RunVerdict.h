// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Console.h"
#include "experiments/results/RunSummary.h"

#include <string>

namespace headroom::cli {

/// "3 completed, 1 out of memory, 2 not run"; "" if there was nothing to do.
std::string outcomeCounts(const experiments::RunSummary& summary);

/// "passed", "failed", "not usable" or "interrupted": the meaning of the exit code, in a word.
std::string verdictWord(const experiments::RunSummary& summary);

/// The same as a sentence, with the counts: "18 trials: 18 completed. Budgets: 1 exceeded. Exit code 1."
std::string verdictSentence(const experiments::RunSummary& summary);

/// How many trials a budget applies to: "6 of 18 trials", "18 trials", "no trial in this part".
std::string extentOf(const experiments::BudgetOutcome& budget);

/// Prints the result of each budget on standard error, with the first few trials that determine it.
void printBudgets(const experiments::RunSummary& summary, Console& console);

} // namespace headroom::cli
