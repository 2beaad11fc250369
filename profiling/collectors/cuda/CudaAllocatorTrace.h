// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryAttribution.h"
#include "profiling/collectors/EventRing.h"
#include "profiling/measurement/Instruments.h"

#include <c10/cuda/CUDACachingAllocator.h>

#include <atomic>
#include <map>
#include <memory>

namespace headroom::collectors {

/// What LibTorch's caching allocator does on one device, recorded from its trace entries.
///
/// An entry arrives while the allocator's lock is held: it is copied into a fixed-size queue with the label of what the
/// thread is allocating for, and is processed when it is handed on. Its time is read right there from the trace's
/// clock: the entry's own time is in processor ticks, which LibTorch converts to the time of day, a clock that may be
/// set while the trace runs; both are read within the same call, well below a microsecond apart.
class CudaAllocatorTrace {
public:
    using Entry = c10::cuda::CUDACachingAllocator::TraceEntry;
    using Observer = Instruments::TraceObserver;

    /// `mostEvents`: the most that may happen between two calls of handOn().
    CudaAllocatorTrace(int device, std::chrono::steady_clock::time_point origin, std::size_t mostEvents = 1 << 17);

    /// The allocator's trace tracker. It allocates nothing and takes only the lock of the attribution's forward
    /// history, which nobody holds around a call of torch; without a trace it only reads a pointer.
    void add(const Entry& entry);
    /// Something has become known about the block at an address. From any thread.
    void relabel(std::uint64_t address, const tensor::LabelChange& change);

    // On the thread of the trial:
    /// Hands on what is live, segments before the blocks in them, and from now on every event.
    void begin(Observer observer, const std::vector<c10::CachingDeviceAllocator::SegmentInfo>& alive);
    /// Hands on the events since the last call.
    void handOn();
    /// Gives `label` to live blocks of this requested size that have no owner so far.
    void claimUnknown(Bytes requestedBytes, const tensor::MemoryLabel& label);
    /// Hands on the remaining events and ends the trace.
    void end();

    /// Events dropped since the last begin() because the queue was full.
    std::int64_t lost() const { return m_ring == nullptr ? 0 : m_ring->lost() - m_lostBefore; }

private:
    /// As small as possible, as it is copied while the lock is held.
    struct Happening {
        std::int64_t timeNs = 0;
        std::uint64_t address = 0;
        Bytes bytes = 0;
        void* stream = nullptr;
        trace::Action action = trace::Action::Alloc;
        tensor::LabelChange change{}; ///< of Alloc its label; of Relabelled the whole change
    };

    std::int64_t timeNs() const;
    std::int32_t numberOf(const void* stream);
    void handOn(const Happening& happening);

    const int m_device;
    const std::chrono::steady_clock::time_point m_origin;
    const std::size_t m_mostEvents;
    std::unique_ptr<EventRing<Happening>> m_ring; ///< from the first trace on
    std::atomic<EventRing<Happening>*> m_recording = nullptr; ///< the ring while there is a trace
    std::int64_t m_lostBefore = 0;
    Observer m_observer;
    BlockLabels m_labels;
    std::map<const void*, std::int32_t> m_streams;
};

} // namespace headroom::collectors
