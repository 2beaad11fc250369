// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryBackend.h"
#include "core/protocol/RepeatResult.h"
#include "profiling/measurement/Instruments.h"
#include "profiling/simulator/SimulatedAllocator.h"
#include "profiling/simulator/devices/HostPool.h"
#include "profiling/simulator/devices/RequestMirror.h"

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace headroom::collectors {

/// Is told of every request that an AccountedMemory has served, with its lock held.
class RequestListener {
public:
    using Handle = tensor::MemoryBackend::Handle;

    virtual ~RequestListener() = default;
    /// The label is empty unless the memory is observed.
    virtual void allocated(Handle handle, Bytes bytes, const tensor::MemoryLabel& label) = 0;
    virtual void allocatedOnHost(Handle handle, tensor::HostMemory kind, Bytes bytes) = 0;
    virtual void released(Handle handle) = 0;
    /// Another label was given to memory that is observed.
    virtual void relabelled(Handle handle, const tensor::LabelChange& change) = 0;
};

/// Accounts for LibTorch's storages with one of the simulator's allocators: on simulated devices the allocator decides
/// what is handed out, on the CPU it only keeps count (and enforces a limit). A model's host memory is counted
/// separately, without a limit, and is not reported to observers. One lock guards everything, as CPU kernels allocate
/// from several threads.
class AccountedMemory final : public tensor::MemoryBackend {
public:
    /// `mirror`, if given, receives the same requests and has no other effect.
    explicit AccountedMemory(std::unique_ptr<simulator::SimulatedAllocator> allocator,
        std::unique_ptr<simulator::SimulatedAllocator> mirror = nullptr);

    Handle allocate(Bytes bytes) override;
    /// For somebody else: with a label that this thread's scopes do not tell.
    Handle allocateFor(const tensor::MemoryLabel& label, Bytes bytes);
    Handle allocateHost(tensor::HostMemory kind, Bytes bytes) override;
    void release(Handle handle) noexcept override;
    void relabel(Handle handle, const tensor::LabelChange& change) noexcept override;

    simulator::DeviceStats stats();
    /// What the mirror has reserved: current and peak.
    std::optional<Bytes> mirroredBytes();
    std::optional<Bytes> mirroredPeakBytes();
    simulator::HostPool hostPool();
    void resetPeaks();
    void emptyCache();
    void setClock(simulator::SimulatedAllocator::Clock clock);
    /// Borrowed until it is removed.
    void addRequestListener(RequestListener& listener);
    void removeRequestListener(RequestListener& listener);
    /// Blocks that are live now are reported first, as Alloc events at the present time.
    void observe(Instruments::TraceObserver observer, std::chrono::nanoseconds now);

private:
    struct HostBlock {
        simulator::HostMemory kind;
        Bytes bytes;
    };

    /// The allocators' handles are addresses; all of them are below this value.
    static constexpr Handle kFirstHostHandle = Handle{1} << 63;

    bool releaseHost(Handle handle);
    Handle allocateLocked(const tensor::MemoryLabel& label, Bytes bytes);

    std::mutex m_mutex;
    std::unique_ptr<simulator::SimulatedAllocator> m_allocator;
    std::optional<simulator::RequestMirror> m_mirror;
    simulator::HostPool m_hostPool;
    std::unordered_map<Handle, HostBlock> m_hostBlocks;
    Handle m_nextHostHandle = kFirstHostHandle;
    simulator::SimulatedAllocator::Clock m_clock;
    std::vector<RequestListener*> m_requestListeners;
    Instruments::TraceObserver m_observer;
    BlockLabels m_labels; ///< of the blocks handed out while there is an observer
    tensor::MemoryLabel m_birthLabel; ///< of the block that is being handed out
};

/// Allocated and requested bytes of the statistics and the bytes of the host pool, now or at their peak.
protocol::MemoryFigures currentFigures(const simulator::DeviceStats& stats, const simulator::HostPool& host);
protocol::MemoryFigures peakFigures(const simulator::DeviceStats& stats, const simulator::HostPool& host);

} // namespace headroom::collectors
