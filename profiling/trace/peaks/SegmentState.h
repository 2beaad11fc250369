// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/MemoryCounters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headroom::trace {

/// A block of an allocator that is in use, or waits for a stream.
struct HeldBlock {
    std::uint64_t address = 0;
    Bytes bytes = 0;
    Bytes requestedBytes = 0;
    std::int64_t sinceNs = 0; ///< when it was handed out
    std::int32_t stream = 0;
    OwnerId owner = kUnknownOwner;
    bool isPending = false; ///< given back, but a stream still uses it

    std::uint64_t end() const { return address + static_cast<std::uint64_t>(bytes); }
    bool operator==(const HeldBlock&) const = default;
};

/// Memory that was taken from the device in one piece; of an expandable segment one mapped range.
struct HeldSegment {
    std::uint64_t address = 0;
    Bytes bytes = 0;
    std::int64_t sinceNs = 0;
    std::int32_t stream = 0;
    bool isExpandable = false;

    std::uint64_t end() const { return address + static_cast<std::uint64_t>(bytes); }
    bool operator==(const HeldSegment&) const = default;
};

/// A free range within a segment.
struct Gap {
    std::uint64_t address = 0;
    Bytes bytes = 0;

    bool operator==(const Gap&) const = default;
};

/// How one segment is used. Its bytes are `allocatedBytes` + `pendingBytes` + `freeBytes`.
struct SegmentUse {
    Bytes allocatedBytes = 0;
    Bytes pendingBytes = 0; ///< given back, but a stream still uses it
    Bytes freeBytes = 0;
    std::vector<Gap> gaps; ///< in address order
    Bytes largestGapBytes = 0;
    std::size_t blocks = 0;

    /// Whether a flush of the cache would return it to the device.
    bool isReleasable() const { return blocks == 0; }
    /// Free, and kept from the device by the blocks beside it.
    Bytes stuckBytes() const { return isReleasable() ? 0 : freeBytes; }
};

/// What an allocator holds after a number of events of its trace.
struct SegmentState {
    std::uint64_t events = 0; ///< that have happened
    std::int64_t timeNs = 0; ///< of the last one
    MemoryCounters counters;
    std::vector<HeldSegment> segments; ///< in address order, adjacent mapped ranges as one
    std::vector<HeldBlock> blocks; ///< in address order

    /// In address order. Blocks from before the trace that lie in no known segment are in none.
    std::span<const HeldBlock> blocksIn(const HeldSegment& segment) const;
    SegmentUse useOf(const HeldSegment& segment) const;
    /// Whether segments and blocks are all that the counters tell of: false where the trace began late.
    bool isComplete() const;

    bool operator==(const SegmentState&) const = default;
};

/// The sums of a state over its segments. `reservedBytes` = `allocatedBytes` + `pendingBytes` + `stuckBytes` +
/// `releasableBytes`.
struct SegmentSums {
    Bytes reservedBytes = 0;
    Bytes allocatedBytes = 0;
    Bytes pendingBytes = 0;
    Bytes stuckBytes = 0; ///< free parts of segments that something keeps alive
    Bytes releasableBytes = 0; ///< whole segments without a block
    Bytes largestGapBytes = 0;

    bool operator==(const SegmentSums&) const = default;
};

SegmentSums sumsOf(const SegmentState& state);

} // namespace headroom::trace
