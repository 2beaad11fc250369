// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/MemoryTimeline.h"

#include <algorithm>

namespace headroom::trace {

MemoryTimeline::MemoryTimeline(const MemoryCounters& before)
    : m_before(before)
    , m_pyramids{Pyramid(before.allocated), Pyramid(before.reserved), Pyramid(before.active)}
{
}

MemoryTimeline::MemoryTimeline(std::span<const AllocatorEvent> events, const MemoryCounters& before)
    : MemoryTimeline(before)
{
    m_timesNs.reserve(events.size());
    m_counters.reserve(events.size());
    for (const AllocatorEvent& event : events)
        append(event);
}

void MemoryTimeline::append(const AllocatorEvent& event)
{
    MemoryCounters counters = beforeIndex(size());
    counters.apply(event);
    m_timesNs.push_back(empty() ? event.timeNs : std::max(event.timeNs, m_timesNs.back()));
    m_counters.push_back(counters);
    for (std::size_t i = 0; i < kCounters.size(); ++i)
        m_pyramids[i].append(m_timesNs.back(), counters.of(kCounters[i]));
}

MemoryCounters MemoryTimeline::at(std::int64_t timeNs) const
{
    return beforeIndex(firstIndexAfter(timeNs));
}

Peak MemoryTimeline::peak(Counter counter) const
{
    Peak peak{m_before.of(counter), firstNs()};
    for (std::size_t i = 0; i < size(); ++i) {
        if (m_counters[i].of(counter) > peak.bytes)
            peak = {m_counters[i].of(counter), m_timesNs[i]};
    }
    return peak;
}

Peak MemoryTimeline::peak(Counter counter, std::int64_t fromNs, std::int64_t toNs) const
{
    std::size_t index = firstIndexFrom(fromNs);
    Peak peak{beforeIndex(index).of(counter), fromNs};
    for (; index < size() && m_timesNs[index] < toNs; ++index) {
        if (m_counters[index].of(counter) > peak.bytes)
            peak = {m_counters[index].of(counter), m_timesNs[index]};
    }
    return peak;
}

std::vector<Bucket> MemoryTimeline::query(
    Counter counter, std::int64_t fromNs, std::int64_t toNs, std::size_t width) const
{
    const BinRange range = BinRange::covering(fromNs, toNs, width);
    if (range.shift >= pyramid(counter).finestShift())
        return pyramid(counter).query(fromNs, toNs, width);
    std::size_t index = firstIndexFrom(range.beginNs());
    BucketFold fold(range, beforeIndex(index).of(counter));
    for (; index < size() && m_timesNs[index] < range.endNs(); ++index)
        fold.addPoint(m_timesNs[index], m_counters[index].of(counter));
    return fold.take();
}

std::size_t MemoryTimeline::firstIndexAfter(std::int64_t timeNs) const
{
    return static_cast<std::size_t>(std::upper_bound(m_timesNs.begin(), m_timesNs.end(), timeNs) - m_timesNs.begin());
}

std::size_t MemoryTimeline::firstIndexFrom(std::int64_t timeNs) const
{
    return static_cast<std::size_t>(std::lower_bound(m_timesNs.begin(), m_timesNs.end(), timeNs) - m_timesNs.begin());
}

MemoryCounters MemoryTimeline::beforeIndex(std::size_t index) const
{
    return index == 0 ? m_before : m_counters[index - 1];
}

const Pyramid& MemoryTimeline::pyramid(Counter counter) const
{
    return m_pyramids[static_cast<std::size_t>(counter)];
}

} // namespace headroom::trace
