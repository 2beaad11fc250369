// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryAttribution.h"
#include "profiling/collectors/EventRing.h"
#include "profiling/measurement/Instruments.h"
#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/AllocatorSnapshot.h"
#include "profiling/simulator/BlockSizes.h"

#include <c10/cuda/CUDACachingAllocator.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace headroom::collectors {

/// What LibTorch's CUDA allocator tells of itself, in one call that holds its locks.
using CudaSnapshot = c10::cuda::CUDACachingAllocator::SnapshotInfo;

/// The segments and blocks of one device. `numberOf` gives each stream its number.
simulator::AllocatorSnapshot snapshotOf(
    const CudaSnapshot& told, int device, const std::function<simulator::Stream(const void*)>& numberOf);

/// The settings that decide how large blocks are, as the allocator itself reports them: PYTORCH_ALLOC_CONF and what was
/// changed since. Others have their default.
simulator::AllocatorSettings blockSettingsOf(const CudaSnapshot& told);

/// What LibTorch's caching allocator does on one device, recorded from its trace entries.
///
/// An entry arrives while the allocator's lock is held: it is copied into a fixed-size queue with the label of what the
/// thread is allocating for, and is processed when it is handed on. Its time is read right there from the trace's
/// clock: the entry's own time is in processor ticks, which LibTorch converts to the time of day, a clock that may be
/// set while the trace runs; both are read within the same call, well below a microsecond apart.
///
/// Entries carry what was asked for; how large the blocks are follows from the segments and blocks around them
/// (simulator::BlockSizes), so that events add up to the allocator's own statistics.
class CudaAllocatorTrace {
public:
    using Entry = c10::cuda::CUDACachingAllocator::TraceEntry;
    using Observer = Instruments::TraceObserver;
    using TakeSnapshot = std::function<CudaSnapshot()>;

    /// `mostEvents`: the most that may happen between two calls of handOn().
    CudaAllocatorTrace(int device, std::chrono::steady_clock::time_point origin, std::size_t mostEvents = 1 << 17);

    /// Receives an entry of the allocator. It allocates nothing and takes only the lock of the attribution's forward
    /// history, which nobody holds around a call of torch; without a trace it only reads a pointer.
    void add(const Entry& entry);
    /// Something has become known about the block at an address. From any thread.
    void relabel(std::uint64_t address, const tensor::LabelChange& change);

    // On the thread of the trial:
    /// Hands on what is live, segments before the blocks in them, and from now on every event. add() must already
    /// receive entries: the allocator marks in them where it took the snapshot, so that none is missed or told twice.
    void begin(Observer observer, const TakeSnapshot& takeSnapshot);
    /// Hands on the events since the last call.
    void handOn();
    /// Gives `label` to live blocks of this requested size that have no owner so far.
    void claimUnknown(Bytes requestedBytes, const tensor::MemoryLabel& label);
    /// Hands on the remaining events and ends the trace. No entry may be on its way to add().
    void end();

    /// Events dropped since the last begin() because the queue was full.
    std::int64_t lost() const { return m_ring == nullptr ? 0 : m_ring->lost() - m_lostBefore; }
    /// Blocks since the last begin() whose size is not certain, as they do not fit in what else the trace tells.
    std::int64_t misfits() const { return m_sizes ? m_sizes->misfits() : 0; }
    /// What the events handed on since the last begin() add up to: the allocator's allocated bytes.
    Bytes allocatedBytes() const { return m_allocatedBytes; }

private:
    /// As small as possible, as it is copied while the lock is held. `isSnapshot`: only marks that the allocator of one
    /// of the devices was looked at.
    struct Happening {
        std::int64_t timeNs = 0;
        std::uint64_t address = 0;
        Bytes bytes = 0;
        void* stream = nullptr;
        trace::Action action = trace::Action::Alloc;
        bool isSnapshot = false;
        tensor::LabelChange change{}; ///< of Alloc its label; of Relabelled the whole change
    };

    std::int64_t timeNs() const;
    std::int32_t numberOf(const void* stream);
    void tellLiving(const CudaSnapshot& told, std::int64_t beginNs);
    void handOnSinceSnapshot();
    void handOn(const Happening& happening);
    void tell(const LabelledEvent& event);

    const int m_device;
    const std::chrono::steady_clock::time_point m_origin;
    const std::size_t m_mostEvents;
    std::unique_ptr<EventRing<Happening>> m_ring; ///< from the first trace on
    std::atomic<EventRing<Happening>*> m_recording = nullptr; ///< the ring while there is a trace
    std::int64_t m_lostBefore = 0;
    Observer m_observer;
    BlockLabels m_labels;
    std::optional<simulator::BlockSizes> m_sizes; ///< from the first trace on
    Bytes m_allocatedBytes = 0;
    std::map<const void*, std::int32_t> m_streams;
};

} // namespace headroom::collectors
