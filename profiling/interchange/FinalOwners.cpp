// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/FinalOwners.h"

namespace headroom::interchange {

void FinalOwners::learn(const trace::AllocatorEvent& event)
{
    if (event.action == trace::Action::Alloc) {
        m_live[event.address] = m_allocations++;
    } else if (event.action == trace::Action::FreeRequested) {
        m_live.erase(event.address);
    } else if (event.action == trace::Action::Relabelled) {
        ++m_relabelled;
        const auto block = m_live.find(event.address);
        if (block == m_live.end())
            return;
        if (m_owners.size() <= block->second)
            m_owners.resize(block->second + 1, kKept);
        m_owners[block->second] = event.owner;
    }
}

std::optional<trace::OwnerId> FinalOwners::next()
{
    const std::size_t ordinal = m_next++;
    if (ordinal >= m_owners.size() || m_owners[ordinal] == kKept)
        return std::nullopt;
    return m_owners[ordinal];
}

} // namespace headroom::interchange
