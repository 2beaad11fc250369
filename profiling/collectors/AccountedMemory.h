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

namespace headroom::collectors {

/// Accounts for LibTorch's storages with one of the simulator's allocators: for simulated devices it decides what is
/// handed out, for the CPU it keeps the books (and enforces a limit). A model's host memory is counted apart, without
/// limit, and is no part of what observers hear. One lock around it all, as kernels on the CPU
/// allocate from several threads.
class AccountedMemory final : public tensor::MemoryBackend {
public:
    /// `mirror`, where there is one, gets the same requests and has no other part in anything.
    explicit AccountedMemory(std::unique_ptr<simulator::SimulatedAllocator> allocator,
        std::unique_ptr<simulator::SimulatedAllocator> mirror = nullptr);

    Handle allocate(Bytes bytes) override;
    Handle allocateHost(tensor::HostMemory kind, Bytes bytes) override;
    void release(Handle handle) noexcept override;
    void relabel(Handle handle, const tensor::LabelChange& change) noexcept override;

    simulator::DeviceStats stats();
    /// What the mirror has reserved, now and at its peak.
    std::optional<Bytes> mirroredBytes();
    std::optional<Bytes> mirroredPeakBytes();
    simulator::HostPool hostPool();
    void resetPeaks();
    void emptyCache();
    void setClock(simulator::SimulatedAllocator::Clock clock);
    /// Blocks that are handed out now come first, as Alloc events at the present time.
    void observe(Instruments::TraceObserver observer, std::chrono::nanoseconds now);

private:
    struct HostBlock {
        simulator::HostMemory kind;
        Bytes bytes;
    };

    /// The allocators' handles are addresses, all below.
    static constexpr Handle kFirstHostHandle = Handle{1} << 63;

    bool releaseHost(Handle handle);

    std::mutex m_mutex;
    std::unique_ptr<simulator::SimulatedAllocator> m_allocator;
    std::optional<simulator::RequestMirror> m_mirror;
    simulator::HostPool m_hostPool;
    std::unordered_map<Handle, HostBlock> m_hostBlocks;
    Handle m_nextHostHandle = kFirstHostHandle;
    simulator::SimulatedAllocator::Clock m_clock;
    Instruments::TraceObserver m_observer;
    BlockLabels m_labels; ///< of what was handed out while somebody observes
    tensor::MemoryLabel m_birthLabel; ///< of the block that is being handed out
};

/// Allocated and requested bytes of the statistics and the bytes of the host pool, now or at their peak.
protocol::MemoryFigures currentFigures(const simulator::DeviceStats& stats, const simulator::HostPool& host);
protocol::MemoryFigures peakFigures(const simulator::DeviceStats& stats, const simulator::HostPool& host);

} // namespace headroom::collectors
