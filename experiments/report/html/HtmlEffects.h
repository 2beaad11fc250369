// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/html/Html.h"

#include <cstddef>

namespace headroom::report {

/// What each technique changes and how they act on each other, of each grid of several techniques, at most `mostGrids`;
/// empty where there is none.
Html effectsHtml(const Comparison& comparison, std::size_t mostGrids);

} // namespace headroom::report
