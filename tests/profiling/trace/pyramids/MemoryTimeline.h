// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/Peak.h"
#include "profiling/trace/pyramids/Pyramid.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace headroom::trace {

/// Allocated, reserved and active bytes over time, in memory: what stored timelines and peaks are held against.
/// Between events the counters keep their values. An event whose time lies before the last one counts at the time of
/// the last one.
class MemoryTimeline {
public:
    /// `before`: what was already held when the trace began.
    explicit MemoryTimeline(const MemoryCounters& before = {});
    explicit MemoryTimeline(std::span<const AllocatorEvent> events, const MemoryCounters& before = {});

    void append(const AllocatorEvent& event);

    bool empty() const { return m_timesNs.empty(); }
    std::size_t size() const { return m_timesNs.size(); }
    std::int64_t firstNs() const { return empty() ? 0 : m_timesNs.front(); }
    std::int64_t lastNs() const { return empty() ? 0 : m_timesNs.back(); }

    /// The counters after all events up to and including `timeNs`. O(log events).
    MemoryCounters at(std::int64_t timeNs) const;
    /// The largest value over the whole trace, what was held before it included.
    Peak peak(Counter counter) const;
    /// The largest value in [fromNs, toNs), the value that the window begins with included.
    Peak peak(Counter counter, std::int64_t fromNs, std::int64_t toNs) const;
    /// At most `width` buckets that cover [fromNs, toNs), as Pyramid::query, but as fine as the events are.
    std::vector<Bucket> query(Counter counter, std::int64_t fromNs, std::int64_t toNs, std::size_t width) const;

private:
    std::size_t firstIndexAfter(std::int64_t timeNs) const;
    std::size_t firstIndexFrom(std::int64_t timeNs) const;
    MemoryCounters beforeIndex(std::size_t index) const;
    const Pyramid& pyramid(Counter counter) const;

    MemoryCounters m_before;
    std::vector<std::int64_t> m_timesNs;
    std::vector<MemoryCounters> m_counters; ///< after the event of the same index
    std::array<Pyramid, kCounters.size()> m_pyramids;
};

inline MemoryTimeline::MemoryTimeline(const MemoryCounters& before)
    : m_before(before)
    , m_pyramids{Pyramid(before.allocated), Pyramid(before.reserved), Pyramid(before.active)}
{
}

inline MemoryTimeline::MemoryTimeline(std::span<const AllocatorEvent> events, const MemoryCounters& before)
    : MemoryTimeline(before)
{
    m_timesNs.reserve(events.size());
    m_counters.reserve(events.size());
    for (const AllocatorEvent& event : events)
        append(event);
}

inline void MemoryTimeline::append(const AllocatorEvent& event)
{
    MemoryCounters counters = beforeIndex(size());
    counters.apply(event);
    m_timesNs.push_back(empty() ? event.timeNs : std::max(event.timeNs, m_timesNs.back()));
    m_counters.push_back(counters);
    for (std::size_t i = 0; i < kCounters.size(); ++i)
        m_pyramids[i].append(m_timesNs.back(), counters.of(kCounters[i]));
}

inline MemoryCounters MemoryTimeline::at(std::int64_t timeNs) const
{
    return beforeIndex(firstIndexAfter(timeNs));
}

inline Peak MemoryTimeline::peak(Counter counter) const
{
    Peak peak{m_before.of(counter), firstNs()};
    for (std::size_t i = 0; i < size(); ++i) {
        if (m_counters[i].of(counter) > peak.bytes)
            peak = {m_counters[i].of(counter), m_timesNs[i]};
    }
    return peak;
}

inline Peak MemoryTimeline::peak(Counter counter, std::int64_t fromNs, std::int64_t toNs) const
{
    std::size_t index = firstIndexFrom(fromNs);
    Peak peak{beforeIndex(index).of(counter), fromNs};
    for (; index < size() && m_timesNs[index] < toNs; ++index) {
        if (m_counters[index].of(counter) > peak.bytes)
            peak = {m_counters[index].of(counter), m_timesNs[index]};
    }
    return peak;
}

inline std::vector<Bucket> MemoryTimeline::query(
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

inline std::size_t MemoryTimeline::firstIndexAfter(std::int64_t timeNs) const
{
    return static_cast<std::size_t>(std::upper_bound(m_timesNs.begin(), m_timesNs.end(), timeNs) - m_timesNs.begin());
}

inline std::size_t MemoryTimeline::firstIndexFrom(std::int64_t timeNs) const
{
    return static_cast<std::size_t>(std::lower_bound(m_timesNs.begin(), m_timesNs.end(), timeNs) - m_timesNs.begin());
}

inline MemoryCounters MemoryTimeline::beforeIndex(std::size_t index) const
{
    return index == 0 ? m_before : m_counters[index - 1];
}

inline const Pyramid& MemoryTimeline::pyramid(Counter counter) const
{
    return m_pyramids[static_cast<std::size_t>(counter)];
}

} // namespace headroom::trace
