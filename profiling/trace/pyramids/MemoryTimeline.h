// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/pyramids/Pyramid.h"

#include <array>
#include <span>
#include <vector>

namespace headroom::trace {

/// A largest value and when it was first reached.
struct Peak {
    Bytes bytes = 0;
    std::int64_t timeNs = 0;

    bool operator==(const Peak&) const = default;
};

/// Allocated, reserved and active bytes over time, in memory. Between events the counters keep their values.
/// An event whose time lies before the last one counts at the time of the last one.
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

} // namespace headroom::trace
