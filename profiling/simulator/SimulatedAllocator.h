// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/AllocatorLedger.h"
#include "profiling/simulator/AllocatorSnapshot.h"
#include "profiling/simulator/DeviceStats.h"
#include "profiling/simulator/Stream.h"

namespace headroom::simulator {

/// The allocator of a simulated device: addresses are virtual and no memory is behind them. Not thread-safe; one per
/// trial.
class SimulatedAllocator {
public:
    using Observer = AllocatorLedger::Observer;
    using Clock = AllocatorLedger::Clock;

    SimulatedAllocator() = default;
    virtual ~SimulatedAllocator() = default;
    SimulatedAllocator(const SimulatedAllocator&) = delete;
    SimulatedAllocator& operator=(const SimulatedAllocator&) = delete;

    /// Allocates a block for `requestedBytes` on `stream`; 0 bytes give address 0 and no event. Throws OutOfMemory (an
    /// outcome of the trial, not an error); Error if the request is negative or absurdly large.
    virtual Address allocate(Bytes requestedBytes, Stream stream) = 0;
    Address allocate(Bytes requestedBytes) { return allocate(requestedBytes, kDefaultStream); }

    /// Frees a block; address 0 is ignored. Throws Error for an address that is not allocated.
    virtual void free(Address address) = 0;

    /// Records that `stream` uses the block too: after free() the block stays active until that use is over.
    virtual void recordStream(Address address, Stream stream) = 0;

    /// All work submitted to `stream` so far is done. Blocks that waited for it become free at the next allocation, as
    /// in PyTorch, which checks finished events only then.
    virtual void synchronize(Stream stream) = 0;
    virtual void synchronizeAll() = 0;

    /// Returns all cached memory that is whole segments or pages to the device.
    virtual void emptyCache() = 0;

    /// Everything that the allocator holds, in address order.
    virtual AllocatorSnapshot snapshot() const = 0;

    const DeviceStats& stats() const { return m_ledger.stats(); }
    void resetPeakStats() { m_ledger.resetPeakStats(); }

    /// Called for every event after the state has changed; it must not call back into the allocator.
    void setObserver(Observer observer) { m_ledger.setObserver(std::move(observer)); }

    /// Sets the source of the events' timestamps (nanoseconds since the start of the trace); 0 without one.
    void setClock(Clock clock) { m_ledger.setClock(std::move(clock)); }

protected:
    AllocatorLedger& ledger() { return m_ledger; }

private:
    AllocatorLedger m_ledger;
};

} // namespace headroom::simulator
