// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/BudgetFinding.h"

namespace headroom::experiments {

BudgetFinding withoutFigure(const TrialResult& result, const std::string& figure)
{
    if (result.hasCompleted())
        return {BudgetResult::Undecided, figure + " is not known for this trial"};
    return {BudgetResult::Undecided, "no figure to compare, the trial ended as " + result.ending()};
}

} // namespace headroom::experiments
