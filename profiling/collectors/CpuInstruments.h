// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/CpuMemory.h"
#include "profiling/collectors/AccountedMemory.h"
#include "profiling/collectors/HostSampler.h"
#include "profiling/measurement/Instruments.h"

namespace headroom::collectors {

/// The CPU: LibTorch's allocator wrapped and accounted for to the byte, the system's clock, the process's resident
/// memory. The allocator enforces a limit, backed by the address space limit of the process.
class CpuInstruments final : public Instruments {
public:
    explicit CpuInstruments(std::optional<Bytes> limitBytes);

    ~CpuInstruments() override;

    std::chrono::nanoseconds now() override;
    void synchronise() override { }
    protocol::MemoryFigures current() override;
    protocol::MemoryFigures peak() override;
    void resetPeak() override;
    std::optional<Bytes> residentPeak() override;
    void restartResidentPeak() override;
    void emptyCache() override { }
    std::optional<std::int64_t> allocRetries() override { return std::nullopt; }
    std::optional<Bytes> limit() override { return m_limit; }
    void observeAllocations(TraceObserver observer) override;
    void startCapture() override;
    Capture stopCapture() override;

private:
    std::optional<Bytes> m_limit;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::shared_ptr<AccountedMemory> m_memory;
    tensor::CpuMemory m_scope;
    HostSampler m_host;
};

} // namespace headroom::collectors
