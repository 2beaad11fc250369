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

/// What LibTorch's caching allocator does on one device, from its trace entries.
///
/// An entry arrives while the allocator's lock is held: it is copied into a queue of fixed size, with the label of what
/// the thread allocates for, and the rest is worked out when it is handed on. Its time is read there and then from the
/// trace's clock: the entry's own is in processor ticks, which LibTorch converts to the time of day, a clock that may
/// be set while the trace runs; both are read within the same call, well below a microsecond apart.
class CudaAllocatorTrace {
public:
    using Entry = c10::cuda::CUDACachingAllocator::TraceEntry;
    using Observer = Instruments::TraceObserver;

    /// `mostEvents`: that may happen between two calls of handOn().
    CudaAllocatorTrace(int device, std::chrono::steady_clock::time_point origin, std::size_t mostEvents = 1 << 17);

    /// The allocator's tracker. Allocates nothing, and takes no lock but that of the attribution's history of forwards,
    /// which nobody holds around a call of torch; without a trace it looks at a pointer.
    void add(const Entry& entry);
    /// From any thread: something became known of the block at an address.
    void relabel(std::uint64_t address, const tensor::LabelChange& change);

    // On the thread of the trial:
    /// Hands on what lives, segments before the blocks in them, and from now on what happens.
    void begin(Observer observer, const std::vector<c10::CachingDeviceAllocator::SegmentInfo>& alive);
    /// Hands on what has happened since.
    void handOn();
    /// Blocks for which so much was asked and that are nobody's so far are the label's from now on.
    void claimUnknown(Bytes requestedBytes, const tensor::MemoryLabel& label);
    /// Hands on the rest and ends.
    void end();

    /// Events that found the queue full since the last begin().
    std::int64_t lost() const { return m_ring == nullptr ? 0 : m_ring->lost() - m_lostBefore; }

private:
    /// As small as what is copied under the lock can be.
    struct Happening {
        std::int64_t timeNs = 0;
        std::uint64_t address = 0;
        Bytes bytes = 0;
        void* stream = nullptr;
        trace::Action action = trace::Action::Alloc;
        tensor::LabelChange change{}; ///< of Alloc its label, of Relabelled all of it
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
