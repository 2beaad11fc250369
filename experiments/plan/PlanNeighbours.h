// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanSearch.h"

#include <vector>

namespace headroom::experiments {

/// Combinations that differ from the answer in one axis, and that people would ask about: each technique that is used
/// switched off, the next settings that need more and less, and the simplest setting of each technique that is not
/// used. At most `most`, those that were predicted first.
std::vector<PlanPoint> neighboursOf(const PlanAxes& axes, const PlanFindings& findings, std::size_t most);

} // namespace headroom::experiments
