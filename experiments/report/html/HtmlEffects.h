// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/html/Html.h"

namespace headroom::report {

/// What each technique changes and how they act on each other, of each grid of several techniques; empty where there is
/// none.
Html effectsHtml(const Comparison& comparison);

} // namespace headroom::report
