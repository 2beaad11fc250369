// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/SegmentState.h"

#include <algorithm>

namespace headroom::trace {

std::span<const HeldBlock> SegmentState::blocksIn(const HeldSegment& segment) const
{
    const auto first = std::ranges::lower_bound(blocks, segment.address, {}, &HeldBlock::address);
    const auto last = std::ranges::lower_bound(first, blocks.end(), segment.end(), {}, &HeldBlock::address);
    return {first, last};
}

SegmentUse SegmentState::useOf(const HeldSegment& segment) const
{
    SegmentUse use;
    std::uint64_t free = segment.address;
    const auto addGap = [&](std::uint64_t until) {
        if (until <= free)
            return;
        use.gaps.push_back({free, static_cast<Bytes>(until - free)});
        use.freeBytes += use.gaps.back().bytes;
        use.largestGapBytes = std::max(use.largestGapBytes, use.gaps.back().bytes);
    };
    for (const HeldBlock& block : blocksIn(segment)) {
        addGap(block.address);
        (block.isPending ? use.pendingBytes : use.allocatedBytes) += block.bytes;
        ++use.blocks;
        free = block.end();
    }
    addGap(segment.end());
    return use;
}

bool SegmentState::isComplete() const
{
    Bytes reserved = 0;
    for (const HeldSegment& segment : segments)
        reserved += segment.bytes;
    Bytes active = 0;
    for (const HeldBlock& block : blocks)
        active += block.bytes;
    return reserved == counters.reserved && active == counters.active;
}

SegmentSums sumsOf(const SegmentState& state)
{
    SegmentSums sums;
    for (const HeldSegment& segment : state.segments) {
        const SegmentUse use = state.useOf(segment);
        sums.reservedBytes += segment.bytes;
        sums.allocatedBytes += use.allocatedBytes;
        sums.pendingBytes += use.pendingBytes;
        sums.stuckBytes += use.stuckBytes();
        sums.releasableBytes += use.isReleasable() ? segment.bytes : 0;
        sums.largestGapBytes = std::max(sums.largestGapBytes, use.largestGapBytes);
    }
    return sums;
}

} // namespace headroom::trace
