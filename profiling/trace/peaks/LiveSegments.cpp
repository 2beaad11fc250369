// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/LiveSegments.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace headroom::trace {
namespace {

std::uint64_t endOf(std::uint64_t address, Bytes bytes)
{
    return address + static_cast<std::uint64_t>(bytes);
}

} // namespace

void LiveSegments::apply(const AllocatorEvent& event)
{
    m_counters.apply(event);
    switch (event.action) {
    case Action::Alloc:
        hold(event);
        break;
    case Action::Relabelled: // the first event of a block from before the trace
        if (!m_blocks.contains(event.address))
            hold(event);
        break;
    case Action::FreeRequested:
        dropSlack(event.address);
        break;
    case Action::FreeCompleted:
        dropSlack(event.address);
        m_blocks.erase(event.address);
        break;
    case Action::SegmentAlloc:
        m_segments.insert_or_assign(event.address, Segment{event.bytes});
        break;
    case Action::SegmentFree:
        m_segments.erase(event.address);
        break;
    case Action::SegmentMap:
        map(event.address, event.bytes);
        break;
    case Action::SegmentUnmap:
        unmap(event.address, event.bytes);
        break;
    case Action::OutOfMemory:
        break;
    }
}

void LiveSegments::hold(const AllocatorEvent& event)
{
    dropSlack(event.address);
    const std::uint64_t slack =
        static_cast<std::uint64_t>(event.bytes) - static_cast<std::uint64_t>(event.requestedBytes);
    m_blocks.insert_or_assign(event.address, Block{event.bytes, slack});
    m_slackBytes += slack;
}

void LiveSegments::dropSlack(std::uint64_t address)
{
    if (const auto block = m_blocks.find(address); block != m_blocks.end())
        m_slackBytes -= std::exchange(block->second.slackBytes, 0);
}

// Extends the mapped range before it, and merges the one after it.
void LiveSegments::map(std::uint64_t address, Bytes bytes)
{
    auto [own, isNew] = m_segments.insert_or_assign(address, Segment{bytes, true});
    if (own != m_segments.begin())
        if (const auto before = std::prev(own);
            before->second.isExpandable && endOf(before->first, before->second.bytes) == address) {
            before->second.bytes += bytes;
            m_segments.erase(own);
            own = before;
        }
    const auto after = std::next(own);
    if (after == m_segments.end() || !after->second.isExpandable
        || endOf(own->first, own->second.bytes) != after->first)
        return;
    own->second.bytes += after->second.bytes;
    m_segments.erase(after);
}

// The rest of the mapped range on either side stays mapped.
void LiveSegments::unmap(std::uint64_t address, Bytes bytes)
{
    auto segment = m_segments.upper_bound(address);
    if (segment == m_segments.begin())
        return;
    --segment;
    const std::uint64_t segmentEnd = endOf(segment->first, segment->second.bytes);
    const std::uint64_t unmappedEnd = endOf(address, bytes);
    if (!segment->second.isExpandable || unmappedEnd > segmentEnd)
        return;
    if (unmappedEnd < segmentEnd)
        m_segments[unmappedEnd] = {static_cast<Bytes>(segmentEnd - unmappedEnd), true};
    if (segment->first == address)
        m_segments.erase(segment);
    else
        segment->second.bytes = static_cast<Bytes>(address - segment->first);
}

// Memory from before the trace, or from lost events, is only in the counters.
bool LiveSegments::isComplete() const
{
    const Bytes reserved = std::accumulate(m_segments.begin(), m_segments.end(), Bytes{0},
        [](Bytes sum, const auto& segment) { return sum + segment.second.bytes; });
    const Bytes active = std::accumulate(m_blocks.begin(), m_blocks.end(), Bytes{0},
        [](Bytes sum, const auto& block) { return sum + block.second.bytes; });
    return reserved == m_counters.reserved && active == m_counters.active;
}

Fragmentation LiveSegments::fragmentation() const
{
    Fragmentation found{.reservedBytes = m_counters.reserved,
        .allocatedBytes = m_counters.allocated,
        .pendingBytes = m_counters.active - m_counters.allocated};
    if (!isComplete())
        return found;
    Bytes releasable = 0;
    Bytes largest = 0;
    std::int64_t holes = 0;
    for (const auto& [begin, segment] : m_segments) {
        const std::uint64_t end = endOf(begin, segment.bytes);
        std::uint64_t free = begin;
        const auto addHole = [&](std::uint64_t until) {
            if (until <= free)
                return;
            largest = std::max(largest, static_cast<Bytes>(until - free));
            ++holes;
        };
        auto block = m_blocks.lower_bound(begin);
        const bool isEmpty = block == m_blocks.end() || block->first >= end;
        for (; block != m_blocks.end() && block->first < end; ++block) {
            addHole(block->first);
            free = endOf(block->first, block->second.bytes);
        }
        addHole(end);
        releasable += isEmpty ? segment.bytes : 0;
    }
    found.releasableBytes = releasable;
    found.splitBytes = m_counters.reserved - m_counters.active - releasable;
    found.largestHoleBytes = largest;
    found.holes = holes;
    found.segments = static_cast<std::int64_t>(m_segments.size());
    found.slackBytes = static_cast<Bytes>(m_slackBytes);
    return found;
}

} // namespace headroom::trace
