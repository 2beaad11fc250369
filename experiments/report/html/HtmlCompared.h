// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ComparedRuns.h"
#include "experiments/report/html/Html.h"

#include <vector>

namespace headroom::report {

/// Runs beside each other: what is said of them, their curves and differences over time, and tables. Empty without any.
Html comparedHtml(const std::vector<ComparedRuns>& compared);

} // namespace headroom::report
