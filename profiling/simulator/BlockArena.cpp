// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/BlockArena.h"

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

Block& BlockArena::take()
{
    if (m_unused.empty())
        return m_records.emplace_back();
    Block& block = *m_unused.back();
    m_unused.pop_back();
    return block;
}

Block& BlockArena::create(BlockPool& pool, Stream stream, Address address, Bytes bytes)
{
    Block& block = take();
    block.address = address;
    block.bytes = bytes;
    block.requestedBytes = 0;
    block.stream = stream;
    block.pool = &pool;
    block.previous = nullptr;
    block.next = nullptr;
    block.range = nullptr;
    block.pendingEvents = 0;
    block.isAllocated = false;
    block.isMapped = true;
    block.streamUses.clear();
    return block;
}

void BlockArena::recycle(Block& block)
{
    block.pool = nullptr;
    m_unused.push_back(&block);
}

Block& BlockArena::splitFront(Block& block, Bytes bytes)
{
    Block& front = create(*block.pool, block.stream, block.address, bytes);
    front.range = block.range;
    front.isMapped = block.isMapped;
    front.previous = block.previous;
    front.next = &block;
    if (front.previous)
        front.previous->next = &front;
    block.previous = &front;
    block.address += static_cast<Address>(bytes);
    block.bytes -= bytes;
    return front;
}

Block& BlockArena::splitBack(Block& block, Bytes bytes)
{
    Block& back = create(*block.pool, block.stream, block.address + static_cast<Address>(bytes), block.bytes - bytes);
    back.range = block.range;
    back.isMapped = block.isMapped;
    back.previous = &block;
    back.next = block.next;
    if (back.next)
        back.next->previous = &back;
    block.next = &back;
    block.bytes = bytes;
    return back;
}

Bytes BlockArena::tryMerge(Block& block, Block* neighbour)
{
    if (!neighbour || !neighbour->isFree() || neighbour->isMapped != block.isMapped)
        return 0;
    neighbour->pool->erase(*neighbour);
    if (block.previous == neighbour) {
        block.address = neighbour->address;
        block.previous = neighbour->previous;
        if (block.previous)
            block.previous->next = &block;
    } else {
        block.next = neighbour->next;
        if (block.next)
            block.next->previous = &block;
    }
    const Bytes gained = neighbour->bytes;
    block.bytes += gained;
    recycle(*neighbour);
    return gained;
}

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
