// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/AllocatorLedger.h"

namespace headroom::simulator {

void AllocatorLedger::resetPeakStats()
{
    StatArray* const arrays[] = {&m_stats.allocation, &m_stats.segment, &m_stats.active, &m_stats.inactiveSplit,
        &m_stats.allocatedBytes, &m_stats.reservedBytes, &m_stats.activeBytes, &m_stats.inactiveSplitBytes,
        &m_stats.requestedBytes};
    for (StatArray* array : arrays)
        array->resetPeak();
    m_stats.oversizeAllocations.resetPeak();
    m_stats.oversizeSegments.resetPeak();
}

void AllocatorLedger::blockAllocated(const LedgerEntry& block)
{
    m_stats.allocation.increase(block.pool, 1);
    m_stats.allocatedBytes.increase(block.pool, block.bytes);
    m_stats.active.increase(block.pool, 1);
    m_stats.activeBytes.increase(block.pool, block.bytes);
    m_stats.requestedBytes.increase(block.pool, block.requestedBytes);
    tell(trace::Action::Alloc, block);
}

void AllocatorLedger::freeRequested(const LedgerEntry& block)
{
    m_stats.allocation.decrease(block.pool, 1);
    m_stats.allocatedBytes.decrease(block.pool, block.bytes);
    tell(trace::Action::FreeRequested, block);
}

void AllocatorLedger::freeCompleted(const LedgerEntry& block)
{
    m_stats.active.decrease(block.pool, 1);
    m_stats.activeBytes.decrease(block.pool, block.bytes);
    m_stats.requestedBytes.decrease(block.pool, block.requestedBytes);
    tell(trace::Action::FreeCompleted, block);
}

void AllocatorLedger::segmentAllocated(const LedgerEntry& segment)
{
    m_stats.segment.increase(segment.pool, 1);
    m_stats.reservedBytes.increase(segment.pool, segment.bytes);
    ++m_stats.numDeviceAlloc;
    tell(trace::Action::SegmentAlloc, segment);
}

void AllocatorLedger::segmentFreed(const LedgerEntry& segment)
{
    m_stats.segment.decrease(segment.pool, 1);
    m_stats.reservedBytes.decrease(segment.pool, segment.bytes);
    ++m_stats.numDeviceFree;
    tell(trace::Action::SegmentFree, segment);
}

void AllocatorLedger::rangeMapped(const LedgerEntry& range)
{
    m_stats.reservedBytes.increase(range.pool, range.bytes);
    ++m_stats.numDeviceAlloc;
    tell(trace::Action::SegmentMap, range);
}

void AllocatorLedger::rangeUnmapped(const LedgerEntry& range)
{
    m_stats.reservedBytes.decrease(range.pool, range.bytes);
    ++m_stats.numDeviceFree;
    tell(trace::Action::SegmentUnmap, range);
}

void AllocatorLedger::inactiveSplitChanged(PoolKind pool, std::int64_t blocks, Bytes bytes)
{
    change(m_stats.inactiveSplit.aggregate, blocks);
    change(m_stats.inactiveSplit.of(pool), blocks);
    change(m_stats.inactiveSplitBytes.aggregate, bytes);
    change(m_stats.inactiveSplitBytes.of(pool), bytes);
}

void AllocatorLedger::outOfMemory(Bytes requestedBytes, Bytes freeDeviceBytes, Stream stream)
{
    ++m_stats.numOoms;
    // The trace carries the free device bytes in the address of this event.
    tell(trace::Action::OutOfMemory,
        {static_cast<Address>(freeDeviceBytes), requestedBytes, requestedBytes, stream, PoolKind::Large});
}

void AllocatorLedger::tell(trace::Action action, const LedgerEntry& entry) const
{
    if (!m_observer)
        return;
    m_observer({m_clock ? m_clock() : 0, entry.address, entry.bytes, entry.requestedBytes, entry.stream, action});
}

} // namespace headroom::simulator
