// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/comparison/TrialPairs.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// The pairs, changes first, with what held the difference of the most changed ones; `a` and `b` as they were named.
Report compareReport(const experiments::ResultComparison& comparison,
    const std::vector<experiments::SettingDifference>& environment, const std::string& a, const std::string& b);

} // namespace headroom::cli
