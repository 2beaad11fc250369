// SPDX-License-Identifier: Apache-2.0
#include "core/memory/ForwardHistory.h"

#include <algorithm>

namespace headroom::tensor {

// If no node was created between two changes, nothing can refer to the earlier one.
void ForwardHistory::changesTo(const OpOrigin& origin, std::uint64_t sequence)
{
    if (!m_changes.empty() && m_changes.back().sequence == sequence)
        m_changes.back().origin = origin;
    else
        m_changes.push_back({sequence, origin});
}

std::optional<OpOrigin> ForwardHistory::originOf(std::uint64_t sequence) const
{
    const auto later = std::ranges::upper_bound(m_changes, sequence, {}, &Change::sequence);
    if (later == m_changes.begin())
        return std::nullopt;
    return std::prev(later)->origin;
}

} // namespace headroom::tensor
