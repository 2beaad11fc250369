// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Console.h"
#include "experiments/results/RunSummary.h"

namespace headroom::cli {

/// Says on standard error what became of each budget, and which trials made it so (the first few of them).
void printBudgets(const experiments::RunSummary& summary, Console& console);

} // namespace headroom::cli
