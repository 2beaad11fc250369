// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/memory/CpuMemory.h"
#include "profiling/collectors/HostAccount.h"
#include "profiling/collectors/TrialClock.h"
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"
#include "profiling/collectors/cuda/CudaCapture.h"
#include "profiling/measurement/Instruments.h"
#include "profiling/measurement/RefusedRequest.h"

#include <cstdint>
#include <memory>
#include <string>

namespace headroom::collectors {

/// Notes the last request that LibTorch's CUDA allocator refused on a device, with exact figures: its exception prints
/// them with two decimals.
///
/// LibTorch keeps observers for the life of the process. Each is called once for each refused request, so many of them
/// cost nothing.
class CudaRefusals {
public:
    /// The device must be open. An allocator that has no observers (backend:cudaMallocAsync) leaves the exceptions'
    /// figures.
    explicit CudaRefusals(int device);

    /// What an exception says, exact where the last refused request is the one that it tells of.
    protocol::OutOfMemoryFacts exact(const protocol::OutOfMemoryFacts& said) const;

    /// Why there are no exact figures; empty when there are.
    const std::string& problem() const { return m_problem; }

private:
    struct Last;

    std::shared_ptr<Last> m_last; ///< shared with the allocator
    std::string m_problem;
};

/// The memory fraction with which LibTorch's CUDA allocator takes exactly `limitBytes` from a device of `totalBytes`
/// (cudaDeviceProp::totalGlobalMem). It multiplies in doubles and cuts off the fraction of a byte, so that the plain
/// quotient is one byte short for one limit in twenty. 1, which is no limit, where the limit is the device's memory or
/// more.
double memoryFraction(Bytes limitBytes, Bytes totalBytes);

/// Limits what LibTorch's CUDA allocator takes from a device, and puts the former limit back in the end. A stricter one
/// (per_process_memory_fraction in PYTORCH_ALLOC_CONF) stays.
class MemoryLimit {
public:
    /// The device must be open.
    MemoryLimit(int device, Bytes limitBytes, Bytes totalBytes);
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    std::int8_t m_device;
    double m_former;
};

/// An NVIDIA GPU, or one that is not there (openRehearsedCard): statistics from LibTorch's caching allocator, used
/// memory from the device, times from the trial's clock with the device synchronised around each step.
class CudaInstruments final : public Instruments {
public:
    /// Throws TrialError when the device cannot be used. The limit is enforced as the allocator's memory fraction while
    /// this lives. With a depth, driver and device are captured from here on, except while steps are timed.
    CudaInstruments(int index, std::optional<Bytes> limitBytes, CaptureDepth depth = CaptureDepth::None);
    ~CudaInstruments() override;

    std::chrono::nanoseconds now() override;
    void synchronise() override;
    protocol::MemoryFigures current() override;
    protocol::MemoryFigures peak() override;
    void resetPeak() override;
    std::optional<Bytes> residentPeak() override;
    void restartResidentPeak() override;
    std::optional<Bytes> pinnedPeak() override;
    void restartPinnedPeak() override;
    void emptyCache() override;
    std::optional<std::int64_t> allocRetries() override;
    protocol::OutOfMemoryFacts failedRequest(const protocol::OutOfMemoryFacts& said) override;
    std::optional<Bytes> limit() override;
    /// Throws TrialError if the allocator cannot be traced, as the driver's own pool (backend:cudaMallocAsync).
    void observeAllocations(TraceObserver observer) override;
    void handOnEvents() override;
    void claimWorkspaces() override;
    void relabel(std::uint64_t address, const tensor::LabelChange& change) override;
    void startCapture() override;
    Capture stopCapture() override;
    void pauseCapture() override;
    void resumeCapture() override;
    void phaseEnds(const std::string& phase, std::int64_t step) override;

private:
    enum class Looking { AtTheAllocator, AtEverything };

    Bytes outsideBytes();
    void endTrace();
    void checkTrace();

    std::int8_t m_index;
    std::optional<Bytes> m_limit;
    std::chrono::steady_clock::time_point m_start = TrialClock::now();
    std::unique_ptr<CudaCapture> m_capture; ///< null: no capture
    Looking m_looking = Looking::AtTheAllocator;
    std::optional<MemoryLimit> m_enforcedLimit;
    CudaAllocatorTrace m_trace;
    bool m_isTracing = false;
    std::vector<std::string> m_losses; ///< of the trace, until the capture ends
    std::vector<std::string> m_notes; ///< the same
    std::shared_ptr<HostAccount> m_host = std::make_shared<HostAccount>();
    std::optional<CudaRefusals> m_refusals; ///< like the next, from when the device is open
    std::optional<tensor::CpuMemory> m_hostScope;
};

} // namespace headroom::collectors
