// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimelineFigure.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom::figures {

/// At most `most` bins of equal width over [first bin, endNs), each with the least and the most of those it covers
/// (one that reaches into several counts in each). Fewer than that come back as they are.
std::vector<MemoryBin> folded(const std::vector<MemoryBin>& bins, std::int64_t endNs, std::size_t most);

} // namespace headroom::figures
