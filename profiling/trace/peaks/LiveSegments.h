// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/MemoryCounters.h"

#include <cstdint>
#include <map>
#include <optional>

namespace headroom::trace {

/// Memory that a caching allocator has reserved but that nobody uses. `reservedBytes` - `allocatedBytes` =
/// `pendingBytes` + `releasableBytes` + `splitBytes`.
struct Fragmentation {
    Bytes reservedBytes = 0;
    Bytes allocatedBytes = 0;
    Bytes pendingBytes = 0; ///< freed, but a stream still uses it
    // From segments and blocks; nullopt where the trace does not show all of them (they existed before it began).
    std::optional<Bytes> releasableBytes{}; ///< segments without any block: emptying the cache returns them
    std::optional<Bytes> splitBytes{}; ///< inactive split blocks: free parts of segments that are in use
    std::optional<Bytes> largestHoleBytes{}; ///< the largest free range within one segment; a free segment counts too
    std::optional<std::int64_t> holes{};
    std::optional<std::int64_t> segments{};
    std::optional<Bytes> slackBytes{}; ///< of the allocated bytes: not asked for, but in the blocks that were given

    Bytes unusedBytes() const { return reservedBytes - allocatedBytes; }

    bool operator==(const Fragmentation&) const = default;
};

/// Follows the segments of a caching allocator and the blocks in them. Adjacent mapped parts of expandable segments are
/// one segment; segments of cudaMalloc are separate even if their addresses are adjacent.
class LiveSegments {
public:
    explicit LiveSegments(const MemoryCounters& before)
        : m_counters(before)
    {
    }

    void apply(const AllocatorEvent& event);
    /// Sets the counters to values known from elsewhere, after lost events.
    void settle(const MemoryCounters& counters) { m_counters = counters; }
    const MemoryCounters& counters() const { return m_counters; }
    /// O(segments + blocks).
    Fragmentation fragmentation() const;

private:
    struct Segment {
        Bytes bytes = 0;
        bool isExpandable = false;
    };
    struct Block {
        Bytes bytes = 0;
        std::uint64_t slackBytes = 0; ///< 0 once it was given back
    };

    void hold(const AllocatorEvent& event);
    void dropSlack(std::uint64_t address);
    void map(std::uint64_t address, Bytes bytes);
    void unmap(std::uint64_t address, Bytes bytes);
    bool isComplete() const;

    MemoryCounters m_counters;
    std::map<std::uint64_t, Segment> m_segments; ///< by address
    std::map<std::uint64_t, Block> m_blocks; ///< in use, or waiting for a stream; by address
    std::uint64_t m_slackBytes = 0; ///< of all of them; wraps around, so that damaged data is harmless
};

} // namespace headroom::trace
