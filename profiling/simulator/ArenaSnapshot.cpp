// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/ArenaSnapshot.h"

#include "profiling/simulator/BlockPool.h"

#include <algorithm>

namespace headroom::simulator {

namespace {

bool startsSegment(const Block& block)
{
    return block.pool && block.isMapped && !(block.previous && block.previous->isMapped);
}

BlockState stateOf(const Block& block)
{
    if (block.isAllocated)
        return BlockState::ActiveAllocated;
    return block.isFree() ? BlockState::Inactive : BlockState::ActivePendingFree;
}

void add(SegmentSnapshot& segment, const Block& block)
{
    const BlockState state = stateOf(block);
    segment.blocks.push_back({block.address, block.bytes, block.requestedBytes, state});
    segment.totalBytes += block.bytes;
    if (state == BlockState::ActiveAllocated)
        segment.allocatedBytes += block.bytes;
    if (state != BlockState::Inactive) {
        segment.activeBytes += block.bytes;
        segment.requestedBytes += block.requestedBytes;
    }
}

SegmentSnapshot segmentFrom(const Block& first)
{
    SegmentSnapshot segment;
    segment.address = first.address;
    segment.stream = first.stream;
    segment.pool = first.pool->kind();
    segment.kind = first.range ? SegmentKind::Expandable : SegmentKind::Plain;
    for (const Block* block = &first; block && block->isMapped; block = block->next)
        add(segment, *block);
    return segment;
}

} // namespace

AllocatorSnapshot snapshotOf(const BlockArena& arena)
{
    AllocatorSnapshot snapshot;
    for (const Block& block : arena.records()) {
        if (startsSegment(block))
            snapshot.segments.push_back(segmentFrom(block));
    }
    std::sort(snapshot.segments.begin(), snapshot.segments.end(),
        [](const SegmentSnapshot& a, const SegmentSnapshot& b) { return a.address < b.address; });
    return snapshot;
}

} // namespace headroom::simulator
