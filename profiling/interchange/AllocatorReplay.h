// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"

#include <cstdint>
#include <functional>
#include <map>

namespace headroom::interchange {

/// Follows an allocator's trace and passes it on in a form that can be replayed in both directions, as viewers of
/// PyTorch snapshots do: every block lies in a segment, every free has its block, nothing overlaps. An undamaged trace
/// of an allocator passes unchanged, with two exceptions:
///
/// - A block outside all segments (from an allocator without segments, such as the CPU's) is given a segment of its own
///   size and lifetime.
/// - Relabelled is not passed on; it only changes the owner of the block.
///
/// Contradictory events (others were lost) are left out and counted; frees that must have happened are added and
/// counted. Memory grows with the number of live blocks and segments.
class AllocatorReplay {
public:
    using Listener = std::function<void(const trace::AllocatorEvent&)>;

    enum class SegmentKind { Plain, Expandable, OfOneBlock };

    struct Segment {
        Bytes bytes = 0;
        std::int32_t stream = 0;
        SegmentKind kind = SegmentKind::Plain;
    };

    struct Block {
        Bytes bytes = 0;
        Bytes requestedBytes = 0;
        std::int32_t stream = 0;
        trace::OwnerId owner = trace::kUnknownOwner;
        std::int64_t allocatedNs = 0;
        bool isFreeRequested = false;
    };

    struct Repairs {
        std::int64_t leftOut = 0; ///< events
        std::int64_t addedFrees = 0; ///< blocks
        std::int64_t addedMaps = 0; ///< ranges of expandable segments
        std::int64_t heldBefore = 0; ///< blocks that were allocated before the trace and freed within it
    };

    /// What is known about a trace before it is replayed.
    struct Expectation {
        Bytes heldBefore =
            0; ///< allocated bytes that it begins with, in blocks that it does not name before it frees them
        bool mapsMemory =
            false; ///< it has expandable segments: a block outside of all is in a range whose map was lost
    };

    AllocatorReplay(Listener listener, const Expectation& expectation);

    void apply(const trace::AllocatorEvent& event);

    const std::map<std::uint64_t, Segment>& segments() const { return m_segments; } ///< by address
    const std::map<std::uint64_t, Block>& blocks() const { return m_blocks; } ///< by address
    const Repairs& repairs() const { return m_repairs; }
    /// The part of it that is left, in blocks that have not been named yet.
    Bytes heldBefore() const { return m_heldBefore; }
    bool hasOwnSegments() const { return m_hasOwnSegments; }
    bool hasExpandableSegments() const { return m_hasExpandableSegments; }

private:
    using Segments = std::map<std::uint64_t, Segment>;

    void allocate(const trace::AllocatorEvent& event);
    void makeRoomFor(const trace::AllocatorEvent& event);
    void requestFree(const trace::AllocatorEvent& event);
    void completeFree(const trace::AllocatorEvent& event);
    void adoptBlockHeldBefore(const trace::AllocatorEvent& event);
    void relabel(const trace::AllocatorEvent& event);
    void addSegment(const trace::AllocatorEvent& event);
    void removeSegment(const trace::AllocatorEvent& event);
    void mapRange(const trace::AllocatorEvent& event);
    void unmapRange(const trace::AllocatorEvent& event);

    bool holdsSegmentOrBlock(std::uint64_t address, Bytes bytes) const;
    Segments::iterator segmentAround(std::uint64_t address, Bytes bytes);
    void clear(std::uint64_t address, Bytes bytes, std::int64_t timeNs);
    void clearBlocks(std::uint64_t address, Bytes bytes, std::int64_t timeNs);
    void clearSegments(std::uint64_t address, Bytes bytes, std::int64_t timeNs);
    void finish(std::uint64_t address, std::int64_t timeNs);
    void tell(trace::Action action, std::int64_t timeNs, std::uint64_t address, const Block& block);
    void tellSegment(trace::Action action, std::int64_t timeNs, std::uint64_t address, const Segment& segment);

    Listener m_listener;
    Bytes m_heldBefore;
    bool m_mapsMemory;
    Segments m_segments;
    std::map<std::uint64_t, Block> m_blocks;
    Repairs m_repairs;
    bool m_hasOwnSegments = false;
    bool m_hasExpandableSegments = false;
};

} // namespace headroom::interchange
