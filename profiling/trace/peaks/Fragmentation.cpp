// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/Fragmentation.h"

#include <algorithm>

namespace headroom::trace {
namespace {

// Wraps around, so that damaged data is harmless.
Bytes slackOf(const SegmentState& state)
{
    std::uint64_t slack = 0;
    for (const HeldBlock& block : state.blocks)
        if (!block.isPending)
            slack += static_cast<std::uint64_t>(block.bytes) - static_cast<std::uint64_t>(block.requestedBytes);
    return static_cast<Bytes>(slack);
}

} // namespace

// Memory from before the trace, or from lost events, is only in the counters.
Fragmentation fragmentationOf(const SegmentState& state)
{
    Fragmentation found{.reservedBytes = state.counters.reserved,
        .allocatedBytes = state.counters.allocated,
        .pendingBytes = state.counters.active - state.counters.allocated};
    if (!state.isComplete())
        return found;
    Bytes releasable = 0;
    Bytes largest = 0;
    std::int64_t holes = 0;
    for (const HeldSegment& segment : state.segments) {
        const SegmentUse use = state.useOf(segment);
        releasable += use.isReleasable() ? segment.bytes : 0;
        largest = std::max(largest, use.largestGapBytes);
        holes += std::ssize(use.gaps);
    }
    found.releasableBytes = releasable;
    found.splitBytes = state.counters.reserved - state.counters.active - releasable;
    found.largestHoleBytes = largest;
    found.holes = holes;
    found.segments = std::ssize(state.segments);
    found.slackBytes = slackOf(state);
    return found;
}

} // namespace headroom::trace
