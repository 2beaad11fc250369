// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/DeviceStats.h"
#include "profiling/simulator/Stream.h"
#include "profiling/trace/AllocatorEvent.h"

#include <vector>

namespace headroom::simulator {

/// As in PyTorch's snapshot: active_allocated, active_pending_free, inactive.
enum class BlockState : std::uint8_t { ActiveAllocated, ActivePendingFree, Inactive };

struct BlockSnapshot {
    Address address = 0;
    Bytes bytes = 0;
    Bytes requestedBytes = 0; ///< 0 for inactive blocks
    BlockState state = BlockState::Inactive;

    bool operator==(const BlockSnapshot&) const = default;
};

enum class SegmentKind : std::uint8_t { Plain, Expandable };

/// A segment, or one mapped run of an expandable segment. The blocks tile it in address order without gaps.
struct SegmentSnapshot {
    Address address = 0;
    Bytes totalBytes = 0;
    Bytes allocatedBytes = 0;
    Bytes activeBytes = 0;
    Bytes requestedBytes = 0; ///< of active blocks
    Stream stream = kDefaultStream;
    PoolKind pool = PoolKind::Large;
    SegmentKind kind = SegmentKind::Plain;
    std::vector<BlockSnapshot> blocks;
};

/// Segments in address order.
struct AllocatorSnapshot {
    std::vector<SegmentSnapshot> segments;
};

/// The events with which a trace begins that finds the allocator like this: all segments, as SegmentMap where they are
/// expandable, then the active blocks. Blocks that wait for a stream come first, so that allocated bytes never exceed
/// those of the snapshot at the end.
std::vector<trace::AllocatorEvent> livingEvents(const AllocatorSnapshot& snapshot, std::int64_t timeNs);

} // namespace headroom::simulator
