// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/SegmentSource.h"

namespace headroom::simulator {

SegmentSource::SegmentSource(
    const AllocatorSettings& settings, DeviceMemory& device, BlockArena& arena, AllocatorLedger& ledger)
    : m_settings(settings)
    , m_device(device)
    , m_arena(arena)
    , m_ledger(ledger)
{
}

Block* SegmentSource::allocate(BlockPool& pool, Stream stream, Bytes segmentBytes)
{
    if (!m_device.take(segmentBytes))
        return nullptr;
    return &adopt(pool, stream, m_device.placeSegment(segmentBytes), segmentBytes);
}

Block& SegmentSource::adopt(BlockPool& pool, Stream stream, Address address, Bytes segmentBytes)
{
    Block& block = m_arena.create(pool, stream, address, segmentBytes);
    if (segmentBytes >= m_settings.maxSplitBytes)
        m_ledger.oversizeSegmentsChanged(1);
    m_ledger.segmentAllocated({block.address, segmentBytes, segmentBytes, stream, pool.kind()});
    return block;
}

void SegmentSource::release(Block& block)
{
    BlockPool& pool = *block.pool;
    const LedgerEntry segment{block.address, block.bytes, block.bytes, block.stream, pool.kind()};
    pool.erase(block);
    m_arena.recycle(block);
    m_device.returnSegment(segment.address, segment.bytes);
    if (segment.bytes >= m_settings.maxSplitBytes)
        m_ledger.oversizeSegmentsChanged(-1);
    m_ledger.segmentFreed(segment);
}

} // namespace headroom::simulator
