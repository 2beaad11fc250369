// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/LiveBlocks.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace headroom::trace {
namespace {

std::vector<PhaseSpan> byBegin(std::span<const PhaseSpan> phases)
{
    std::vector<PhaseSpan> sorted(phases.begin(), phases.end());
    std::erase_if(sorted, [](const PhaseSpan& phase) { return phase.endNs <= phase.beginNs; });
    std::ranges::stable_sort(sorted, {}, &PhaseSpan::beginNs);
    return sorted;
}

std::vector<std::int64_t> boundariesOf(const std::vector<PhaseSpan>& phases)
{
    std::vector<std::int64_t> boundaries{std::numeric_limits<std::int64_t>::min()};
    for (const PhaseSpan& phase : phases)
        boundaries.insert(boundaries.end(), {phase.beginNs, phase.endNs});
    std::ranges::sort(boundaries);
    const auto repeated = std::ranges::unique(boundaries);
    boundaries.erase(repeated.begin(), repeated.end());
    return boundaries;
}

} // namespace

LiveBlocks::LiveBlocks(const MemoryCounters& before, std::span<const PhaseSpan> phases)
    : m_counters(before)
    , m_heldBefore(before.allocated)
{
    const std::vector<PhaseSpan> sorted = byBegin(phases);
    for (const PhaseSpan& phase : sorted)
        m_shares.push_back({phase});
    m_shares.push_back({});
    // The innermost phase is the shortest that covers a stretch. Those that have begun wait by their length.
    const auto isLonger = [&](std::size_t a, std::size_t b) {
        return sorted[a].endNs - sorted[a].beginNs > sorted[b].endNs - sorted[b].beginNs;
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(isLonger)> begun(isLonger);
    std::size_t next = 0;
    for (const std::int64_t boundary : boundariesOf(sorted)) {
        for (; next < sorted.size() && sorted[next].beginNs <= boundary; ++next)
            begun.push(next);
        while (!begun.empty() && sorted[begun.top()].endNs <= boundary)
            begun.pop();
        m_stretches.push_back({boundary, begun.empty() ? sorted.size() : begun.top()});
    }
}

std::size_t LiveBlocks::shareAt(std::int64_t timeNs)
{
    const bool isInLast = m_stretches[m_stretch].beginNs <= timeNs
        && (m_stretch + 1 == m_stretches.size() || timeNs < m_stretches[m_stretch + 1].beginNs);
    if (!isInLast) {
        const auto after = std::ranges::upper_bound(m_stretches, timeNs, {}, &Stretch::beginNs);
        m_stretch = static_cast<std::size_t>(after - m_stretches.begin()) - 1;
    }
    return m_stretches[m_stretch].share;
}

// What an event says of its size is what the counters go by, so that the shares always sum to them.
void LiveBlocks::apply(const AllocatorEvent& event)
{
    m_counters.apply(event);
    if (event.action == Action::Alloc) {
        LiveShare& share = m_shares[shareAt(event.timeNs)];
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
