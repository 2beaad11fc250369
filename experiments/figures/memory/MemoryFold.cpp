// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/MemoryFold.h"

#include <algorithm>

namespace headroom::figures {

std::vector<MemoryBin> folded(const std::vector<MemoryBin>& bins, std::int64_t endNs, std::size_t most)
{
    if (bins.size() <= most)
        return bins;
    const std::int64_t beginNs = bins.front().beginNs;
    const std::int64_t spanNs = std::max<std::int64_t>(endNs - beginNs, 1);
    const std::int64_t widthNs = spanNs / static_cast<std::int64_t>(most) + 1;
    std::vector<MemoryBin> result;
    std::size_t next = 0;
    for (std::int64_t at = beginNs; at < beginNs + spanNs; at += widthNs) {
        // The value carried in from the bin before holds until the first one that begins here.
        const MemoryBin& carried = bins[next > 0 && (next == bins.size() || bins[next].beginNs > at) ? next - 1 : next];
        MemoryBin fold{at, carried.min, carried.max};
        for (; next < bins.size() && bins[next].beginNs < at + widthNs; ++next) {
            fold.min = std::min(fold.min, bins[next].min);
            fold.max = std::max(fold.max, bins[next].max);
        }
        result.push_back(fold);
    }
    return result;
}

} // namespace headroom::figures
