// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"

#include <string>
#include <vector>

namespace headroom::report {

/// What each setting saves and costs over all groups in which it was compared, measured and predicted ones apart.
/// Nothing where there is one group only.
std::vector<std::string> acrossSentences(const Comparison& comparison);

} // namespace headroom::report
