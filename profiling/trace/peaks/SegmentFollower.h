// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/peaks/SegmentState.h"

#include <map>
#include <unordered_map>

namespace headroom::trace {

/// Follows an allocator's segments and blocks from a state on. What changes is kept beside the blocks of that state, so
/// that a few thousand events cost the same however many blocks there are. Events that fit to nothing are ignored.
class SegmentFollower {
public:
    explicit SegmentFollower(SegmentState from);
    /// From the beginning of a trace, of whose memory before it the counters alone are known.
    explicit SegmentFollower(const MemoryCounters& before)
        : m_counters(before)
    {
    }

    void apply(const AllocatorEvent& event);
    /// Sets the counters to values known from elsewhere, after lost events.
    void settle(const MemoryCounters& counters) { m_counters = counters; }
    std::uint64_t events() const { return m_events; }
    const MemoryCounters& counters() const { return m_counters; }

    /// O(blocks + segments), and the order of those handed out since.
    SegmentState state() const;
    /// Makes its state the one that it follows from, which drops what is kept beside it.
    void rebase();

private:
    void hold(const AllocatorEvent& event);
    void relabel(const AllocatorEvent& event);
    void drop(std::uint64_t address);
    void map(const AllocatorEvent& event);
    void unmap(std::uint64_t address, Bytes bytes);
    HeldBlock* find(std::uint64_t address);
    HeldBlock* findBefore(std::uint64_t address);

    std::uint64_t m_events = 0;
    std::int64_t m_timeNs = 0;
    MemoryCounters m_counters;
    std::vector<HeldBlock> m_before; ///< of the state; those that are gone have no bytes
    std::unordered_map<std::uint64_t, HeldBlock> m_blocks; ///< handed out since, by address
    std::map<std::uint64_t, HeldSegment> m_segments; ///< by address
};

} // namespace headroom::trace
