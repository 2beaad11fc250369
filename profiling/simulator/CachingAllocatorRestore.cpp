// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/CachingAllocator.h"

#include "profiling/simulator/OutOfMemory.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace headroom::simulator {
namespace {

Address rangeBeginOf(const SegmentSnapshot& run, std::span<const Address> begins)
{
    const auto above = std::ranges::upper_bound(begins, run.address);
    return above == begins.begin() ? run.address : *std::prev(above);
}

LedgerEntry entryOfRestored(const Block& block)
{
    return {block.address, block.bytes, block.requestedBytes, block.stream, block.pool->kind()};
}

} // namespace

void CachingAllocator::restore(const AllocatorSnapshot& snapshot, std::span<const Address> rangeBegins)
{
    std::map<std::tuple<Stream, PoolKind, Address>, std::vector<const SegmentSnapshot*>> ranges;
    for (const SegmentSnapshot& segment : snapshot.segments) {
        if (segment.kind == SegmentKind::Plain) {
            restorePlain(segment);
            continue;
        }
        auto& runs = ranges[{
            segment.stream, segment.pool, rangeBegins.empty() ? Address{0} : rangeBeginOf(segment, rangeBegins)}];
        runs.push_back(&segment);
    }
    for (const auto& [key, runs] : ranges)
        restoreRange(runs, rangeBeginOf(*runs.front(), rangeBegins));
}

void CachingAllocator::takeForRestored(Bytes bytes)
{
    if (m_device.take(bytes))
        return;
    const auto& now = stats();
    throw OutOfMemory({bytes, bytes, m_device.freeBytes(), m_device.missingBytes(),
        now.allocatedBytes.aggregate.current, now.reservedBytes.aggregate.current});
}

void CachingAllocator::restorePlain(const SegmentSnapshot& segment)
{
    takeForRestored(segment.totalBytes);
    m_device.dictateSegment(segment.address);
    const Address address = m_device.placeSegment(segment.totalBytes);
    BlockPool& pool = m_pools.of(segment.pool);
    Block* rest = &m_segments.adopt(pool, segment.stream, address, segment.totalBytes);
    for (std::size_t i = 0; i < segment.blocks.size(); ++i) {
        const bool isLast = i + 1 == segment.blocks.size();
        restoreBlock(isLast ? *rest : m_arena.splitFront(*rest, segment.blocks[i].bytes), segment.blocks[i]);
    }
    if (segment.blocks.empty())
        pool.insert(*rest);
}

void CachingAllocator::restoreRange(std::span<const SegmentSnapshot* const> runs, Address begin)
{
    const SegmentSnapshot& last = *runs.back();
    BlockPool& pool = m_pools.of(last.pool);
    const Bytes least = static_cast<Bytes>(last.address - begin) + last.totalBytes + 1;
    Block& rest = m_ranges.adoptRange(pool, last.stream, begin, least);
    for (const SegmentSnapshot* run : runs) {
        if (run->address > rest.address)
            pool.insertUnmapped(m_arena.splitFront(rest, static_cast<Bytes>(run->address - rest.address)));
        takeForRestored(run->totalBytes);
        ledger().rangeMapped({run->address, run->totalBytes, run->totalBytes, run->stream, run->pool});
        for (const BlockSnapshot& state : run->blocks) {
            Block& block = m_arena.splitFront(rest, state.bytes);
            block.isMapped = true;
            restoreBlock(block, state);
        }
    }
    pool.insertUnmapped(rest);
}

void CachingAllocator::restoreBlock(Block& block, const BlockSnapshot& state)
{
    if (state.state == BlockState::Inactive) {
        block.pool->insert(block);
        if (block.isSplit() && !block.range)
            ledger().inactiveSplitChanged(block.pool->kind(), 1, block.bytes);
        return;
    }
    block.isAllocated = true;
    block.requestedBytes = state.requestedBytes;
    m_spareNodes.put(m_handedOut, {block.address, &block});
    if (block.bytes >= m_settings.maxSplitBytes)
        ledger().oversizeAllocationsChanged(1);
    ledger().blockAllocated(entryOfRestored(block));
}

} // namespace headroom::simulator
