// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/LiveBlocks.h"

namespace headroom::trace {

LiveBlocks::LiveBlocks(const MemoryCounters& before, std::span<const PhaseSpan> phases)
    : m_counters(before)
    , m_heldBefore(before.allocated)
    , m_phases(phases)
{
    for (const PhaseSpan& phase : m_phases.phases())
        m_shares.push_back({phase});
    m_shares.push_back({});
}

// The counters use the size in the event, and so do the shares, so that they always sum to the counters.
void LiveBlocks::apply(const AllocatorEvent& event)
{
    m_counters.apply(event);
    if (event.action == Action::Alloc) {
        LiveShare& share = m_shares[m_phases.at(event.timeNs)];
        m_blocks[event.address] = &share;
        share.bytes += event.bytes;
        ++share.blocks;
    } else if (event.action == Action::FreeRequested) {
        const auto block = m_blocks.find(event.address);
        if (block == m_blocks.end()) {
            m_heldBefore -= event.bytes;
            return;
        }
        block->second->bytes -= event.bytes;
        --block->second->blocks;
        m_blocks.erase(block);
    }
}

LiveMemory LiveBlocks::memory() const
{
    LiveMemory memory{m_counters, m_heldBefore, m_shares};
    std::erase_if(memory.shares, [](const LiveShare& share) { return share.bytes == 0 && share.blocks == 0; });
    return memory;
}

} // namespace headroom::trace
