// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/HostMemory.h"
#include "profiling/simulator/devices/HostPool.h"

#include <mutex>

namespace headroom::collectors {

/// Counts the host memory of a model whose device is not the host, and nothing else of the CPU's memory. As the backend
/// of tensor::CpuMemory it sees what techniques take within a HostMemoryScope, temporaries included, as on `cpu` and on
/// simulated devices. Pinned memory of a real GPU comes from LibTorch's pinned allocator and is not seen here.
class HostAccount final : public tensor::MemoryBackend {
public:
    Handle allocate(Bytes) override { return kNotCounted; }
    Handle allocateHost(tensor::HostMemory kind, Bytes bytes) override;
    void release(Handle handle) noexcept override;

    /// Bytes now and at most since resetPeaks().
    simulator::HostPool pool() const;
    void resetPeaks();

private:
    static constexpr Handle kNotCounted = 0;

    mutable std::mutex m_mutex;
    simulator::HostPool m_pool;
};

} // namespace headroom::collectors
