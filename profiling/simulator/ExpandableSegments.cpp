// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/ExpandableSegments.h"

#include <algorithm>

namespace headroom::simulator {

namespace {

bool hasRoom(const Block* block, Bytes bytes)
{
    Bytes room = 0;
    for (; room < bytes && block && block->isFree(); block = block->next)
        room += block->bytes;
    return room >= bytes;
}

Address pageFloor(const ExpandableRange& range, Address address)
{
    const Bytes offset = static_cast<Bytes>(address - range.begin);
    return range.begin + static_cast<Address>(offset / range.pageBytes * range.pageBytes);
}

Address pageCeiling(const ExpandableRange& range, Address address)
{
    return range.begin + static_cast<Address>(roundUp(static_cast<Bytes>(address - range.begin), range.pageBytes));
}

} // namespace

ExpandableSegments::ExpandableSegments(
    const AllocatorSettings& settings, DeviceMemory& device, BlockArena& arena, AllocatorLedger& ledger)
    : m_settings(settings)
    , m_device(device)
    , m_arena(arena)
    , m_ledger(ledger)
{
}

Block& ExpandableSegments::reserveRange(BlockPool& pool, Stream stream)
{
    const Bytes bytes = rangeBytes(pool);
    Block& block = adoptRange(pool, stream, m_device.placeRange(bytes), bytes);
    pool.insertUnmapped(block);
    return block;
}

Bytes ExpandableSegments::rangeBytes(const BlockPool& pool) const
{
    return roundUp(m_device.totalBytes() + m_device.totalBytes() / 8, m_settings.pageBytes(pool.kind()));
}

Block& ExpandableSegments::adoptRange(BlockPool& pool, Stream stream, Address begin, Bytes leastBytes)
{
    const Bytes pageBytes = m_settings.pageBytes(pool.kind());
    const Bytes bytes = std::max(rangeBytes(pool), roundUp(leastBytes, pageBytes));
    m_ranges.push_back(std::make_unique<ExpandableRange>(ExpandableRange{begin, bytes, pageBytes}));
    Block& block = m_arena.create(pool, stream, begin, bytes);
    block.range = m_ranges.back().get();
    block.isMapped = false;
    return block;
}

Block& ExpandableSegments::growable(BlockPool& pool, Stream stream, Bytes bytes)
{
    for (auto it = pool.firstUnmapped(stream); it != pool.unmapped().end() && it->first.first == stream; ++it) {
        Block* const unmapped = it->second;
        Block* const start = unmapped->previous && unmapped->previous->isFree() ? unmapped->previous : unmapped;
        if (hasRoom(start, bytes))
            return *start;
    }
    return reserveRange(pool, stream);
}

bool ExpandableSegments::map(Block& unmapped, Bytes bytes)
{
    // The part starts at a page boundary, as only whole pages are mapped and unmapped.
    BlockPool& pool = *unmapped.pool;
    const Bytes mappedBytes = roundUp(bytes, unmapped.range->pageBytes);
    if (!m_device.take(mappedBytes))
        return false;
    const LedgerEntry range{unmapped.address, mappedBytes, mappedBytes, unmapped.stream, pool.kind()};
    pool.erase(unmapped);
    if (mappedBytes < unmapped.bytes)
        pool.insertUnmapped(m_arena.splitBack(unmapped, mappedBytes));
    unmapped.isMapped = true;
    m_arena.tryMerge(unmapped, unmapped.previous);
    m_arena.tryMerge(unmapped, unmapped.next);
    pool.insert(unmapped);
    m_ledger.rangeMapped(range);
    return true;
}

Block* ExpandableSegments::grow(BlockPool& pool, Stream stream, Bytes bytes)
{
    Block* candidate = &growable(pool, stream, bytes);
    if (!candidate->isMapped && !map(*candidate, std::min(candidate->bytes, bytes)))
        return nullptr;
    while (candidate->bytes < bytes) {
        // A free block followed by an unmapped one: mapping merges the two into the latter's record.
        Block* const unmapped = candidate->next;
        if (!unmapped || !map(*unmapped, std::min(bytes - candidate->bytes, unmapped->bytes)))
            return nullptr;
        candidate = unmapped;
    }
    pool.erase(*candidate);
    return candidate;
}

void ExpandableSegments::unmap(Block& block)
{
    const Address begin = pageCeiling(*block.range, block.address);
    const Address end = pageFloor(*block.range, block.end());
    if (begin >= end)
        return;
    BlockPool& pool = *block.pool;
    pool.erase(block);
    if (begin > block.address)
        pool.insert(m_arena.splitFront(block, static_cast<Bytes>(begin - block.address)));
    if (end < block.end())
        pool.insert(m_arena.splitBack(block, static_cast<Bytes>(end - begin)));
    const LedgerEntry range{begin, block.bytes, block.bytes, block.stream, pool.kind()};
    block.isMapped = false;
    m_arena.tryMerge(block, block.previous);
    m_arena.tryMerge(block, block.next);
    pool.insertUnmapped(block);
    m_device.giveBack(range.bytes);
    m_ledger.rangeUnmapped(range);
    if (!block.isSplit())
        releaseRange(block);
}

void ExpandableSegments::releaseRange(Block& block)
{
    const ExpandableRange* const range = block.range;
    block.pool->erase(block);
    m_arena.recycle(block);
    std::erase_if(m_ranges, [range](const auto& owned) { return owned.get() == range; });
}

} // namespace headroom::simulator
