// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/verdict/BudgetFinding.h"

namespace headroom::experiments {

/// Dotted key of the peak that the limit is about.
std::string peakFigure(const BudgetLimit& limit, const RecordView& record);

/// Compares the peak after warm-up, exactly. A trial that ran out of memory exceeds the limit when what it had needed
/// by then is more, and is undecided otherwise.
BudgetFinding judgePeak(const BudgetLimit& limit, const RecordView& record);

} // namespace headroom::experiments
