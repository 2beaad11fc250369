// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/DeviceStats.h"
#include "profiling/simulator/Stream.h"
#include "profiling/trace/AllocatorEvent.h"

#include <functional>
#include <utility>

namespace headroom::simulator {

/// What the ledger needs to know about a block or a range.
struct LedgerEntry {
    Address address = 0;
    Bytes bytes = 0;
    Bytes requestedBytes = 0;
    Stream stream = kDefaultStream;
    PoolKind pool = PoolKind::Large;
};

/// Keeps an allocator's statistics and notifies an observer of every event, so that the two cannot disagree.
class AllocatorLedger {
public:
    using Observer = std::function<void(const trace::AllocatorEvent&)>;
    using Clock = std::function<std::int64_t()>;

    const DeviceStats& stats() const { return m_stats; }
    void resetPeakStats();
    void setObserver(Observer observer) { m_observer = std::move(observer); }
    void setClock(Clock clock) { m_clock = std::move(clock); }

    void blockAllocated(const LedgerEntry& block);
    void freeRequested(const LedgerEntry& block);
    void freeCompleted(const LedgerEntry& block);

    void segmentAllocated(const LedgerEntry& segment);
    void segmentFreed(const LedgerEntry& segment);
    void rangeMapped(const LedgerEntry& range);
    void rangeUnmapped(const LedgerEntry& range);

    /// The number and the bytes of free blocks in segments that are in use changed by this much.
    void inactiveSplitChanged(PoolKind pool, std::int64_t blocks, Bytes bytes);

    void oversizeAllocationsChanged(std::int64_t blocks) { change(m_stats.oversizeAllocations, blocks); }
    void oversizeSegmentsChanged(std::int64_t segments) { change(m_stats.oversizeSegments, segments); }
    void retried() { ++m_stats.numAllocRetries; }
    void synchronizedAllStreams() { ++m_stats.numSyncAllStreams; }
    void rejectedBeforeDevice() { ++m_stats.numOomRejections; }
    void outOfMemory(Bytes requestedBytes, Bytes freeDeviceBytes, Stream stream);

private:
    static void change(Stat& stat, std::int64_t amount)
    {
        amount >= 0 ? stat.increase(amount) : stat.decrease(-amount);
    }
    void tell(trace::Action action, const LedgerEntry& entry) const;

    DeviceStats m_stats;
    Observer m_observer;
    Clock m_clock;
};

} // namespace headroom::simulator
