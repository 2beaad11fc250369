// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/BudgetFinding.h"

namespace headroom::experiments {

BudgetFinding withoutFigure(const RecordView& record, const std::string& figure)
{
    if (record.hasCompleted())
        return {BudgetResult::Undecided, figure + " is not known for this trial"};
    return {BudgetResult::Undecided, "no figure to compare, the trial ended as " + record.ending()};
}

} // namespace headroom::experiments
