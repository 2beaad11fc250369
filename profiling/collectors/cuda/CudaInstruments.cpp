// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaInstruments.h"

#include "core/base/Error.h"
#include "core/config/DeviceSpec.h"
#include "core/config/Installation.h"
#include "core/tensor/Torch.h"
#include "profiling/collectors/CublasWorkspaceSize.h"
#include "profiling/collectors/cuda/AllocatorTracker.h"
#include "profiling/collectors/cuda/CudaRuntime.h"
#include "profiling/measurement/HostProcess.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <ATen/core/CachingHostAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

namespace headroom::collectors {
namespace {

namespace caching = c10::cuda::CUDACachingAllocator;

Bytes totalOf(const c10::CachingAllocator::StatArray& stats)
{
    return stats[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)].current;
}

namespace caching = c10::cuda::CUDACachingAllocator;

// As the allocator computes it.
Bytes allowedBytes(double fraction, Bytes totalBytes)
{
    return static_cast<Bytes>(static_cast<std::size_t>(fraction * static_cast<double>(totalBytes)));
}

// The allocator tells the quotient, which may be a byte short when it is set again.
double formerFraction(std::int8_t device, Bytes totalBytes)
{
    const double told = caching::getMemoryFraction(device);
    if (told >= 1.0)
        return 1.0;
    return memoryFraction(std::llround(told * static_cast<double>(totalBytes)), totalBytes);
}

namespace caching = c10::cuda::CUDACachingAllocator;
using c10::CachingAllocator::StatType;

Bytes currentOf(const c10::CachingAllocator::StatArray& stats)
{
    return stats[static_cast<std::size_t>(StatType::AGGREGATE)].current;
}

Bytes peakOf(const c10::CachingAllocator::StatArray& stats)
{
    return stats[static_cast<std::size_t>(StatType::AGGREGATE)].peak;
}

// Pinned bytes of live tensors, rounded as in LibTorch's pinned allocator; memory in its cache is not counted. The peak
// is an upper bound: LibTorch keeps one for each power of two and adds them up, whenever each was reached.
at::HostStats pinnedStats()
{
    return at::getHostAllocator(at::kCUDA)->get_stats();
}

struct DeviceMemory {
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
};

DeviceMemory deviceMemory(int index)
{
    DeviceMemory memory;
    if (cudaSetDevice(index) != cudaSuccess || cudaMemGetInfo(&memory.freeBytes, &memory.totalBytes) != cudaSuccess)
        throw TrialError("the device does not tell its memory", "cuda:" + std::to_string(index));
    return memory;
}

} // namespace

struct CudaRefusals::Last {
    std::mutex mutex;
    std::optional<RefusedRequest> request;
};

// Called by the thread whose request failed, after everything that could be given back has been. The allocator's lock
// may be asked for again by this thread.
CudaRefusals::CudaRefusals(int device)
    : m_last(std::make_shared<Last>())
{
    const auto note = [device, last = m_last](
                          std::int64_t on, std::size_t segment, std::size_t allowed, std::size_t available) {
        if (on != device)
            return;
        const auto stats = caching::getDeviceStats(static_cast<c10::DeviceIndex>(device));
        const std::scoped_lock lock(last->mutex);
        last->request = RefusedRequest{static_cast<Bytes>(segment), static_cast<Bytes>(allowed),
            static_cast<Bytes>(available), totalOf(stats.allocated_bytes), totalOf(stats.reserved_bytes)};
    };
    try {
        caching::attachOutOfMemoryObserver(note);
    } catch (const c10::Error& error) {
        m_problem = error.what_without_backtrace();
    }
}

protocol::OutOfMemoryFacts CudaRefusals::exact(const protocol::OutOfMemoryFacts& said) const
{
    const std::scoped_lock lock(m_last->mutex);
    return m_last->request && mayTellOf(said, *m_last->request) ? factsOf(*m_last->request) : said;
}

double memoryFraction(Bytes limitBytes, Bytes totalBytes)
{
    if (limitBytes >= totalBytes)
        return 1.0;
    double fraction = static_cast<double>(limitBytes) / static_cast<double>(totalBytes);
    while (allowedBytes(fraction, totalBytes) < limitBytes)
        fraction = std::nextafter(fraction, 1.0);
    return fraction;
}

MemoryLimit::MemoryLimit(int device, Bytes limitBytes, Bytes totalBytes)
    : m_device(static_cast<std::int8_t>(device))
    , m_former(formerFraction(m_device, totalBytes))
{
    caching::setMemoryFraction(std::min(m_former, memoryFraction(limitBytes, totalBytes)), m_device);
}

// Only a fraction outside of 0 to 1 and an unknown device are refused, which this one was neither when it was set.
MemoryLimit::~MemoryLimit()
{
    caching::setMemoryFraction(m_former, m_device);
}

CudaInstruments::CudaInstruments(int index, std::optional<Bytes> limitBytes, CaptureDepth depth)
    : m_index(static_cast<std::int8_t>(index))
    , m_limit(limitBytes)
    , m_trace(index, m_start)
{
    requireCudaDevice(index);
    if (depth != CaptureDepth::None)
        m_capture = std::make_unique<CudaCapture>(index, depth, m_start);
    openCudaDevice(index);
    if (m_limit)
        m_enforcedLimit.emplace(
            index, *m_limit, cudaAvailability().devices.at(static_cast<std::size_t>(index)).totalBytes);
    m_refusals.emplace(index);
    m_hostScope.emplace(m_host);
}

CudaInstruments::~CudaInstruments()
{
    endTrace();
}

std::chrono::nanoseconds CudaInstruments::now()
{
    return TrialClock::now() - m_start;
}

void CudaInstruments::synchronise()
{
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)
        throw TrialError(cudaGetErrorString(error), "cuda:" + std::to_string(m_index));
}

protocol::MemoryFigures CudaInstruments::current()
{
    const auto stats = caching::getDeviceStats(m_index);
    const DeviceMemory memory = deviceMemory(m_index);
    protocol::MemoryFigures figures;
    figures.allocated = currentOf(stats.allocated_bytes);
    figures.reserved = currentOf(stats.reserved_bytes);
    figures.requested = currentOf(stats.requested_bytes);
    figures.device = static_cast<Bytes>(memory.totalBytes - memory.freeBytes);
    figures.hostRss = residentBytes();
    figures.hostPinned = pinnedStats().active_bytes.current;
    figures.hostPageable = m_host->pool().bytes(simulator::HostMemory::Pageable).current;
    return figures;
}

protocol::MemoryFigures CudaInstruments::peak()
{
    const auto stats = caching::getDeviceStats(m_index);
    protocol::MemoryFigures figures;
    figures.allocated = peakOf(stats.allocated_bytes);
    figures.reserved = peakOf(stats.reserved_bytes);
    figures.requested = peakOf(stats.requested_bytes);
    figures.hostPageable = m_host->pool().bytes(simulator::HostMemory::Pageable).peak;
    return figures;
}

void CudaInstruments::resetPeak()
{
    caching::resetPeakStats(m_index);
    m_host->resetPeaks();
}

std::optional<Bytes> CudaInstruments::residentPeak()
{
    return peakResidentBytes();
}

void CudaInstruments::restartResidentPeak()
{
    resetPeakResident();
}

std::optional<Bytes> CudaInstruments::pinnedPeak()
{
    return pinnedStats().active_bytes.peak;
}

void CudaInstruments::restartPinnedPeak()
{
    at::getHostAllocator(at::kCUDA)->reset_peak_stats();
}

void CudaInstruments::emptyCache()
{
    caching::emptyCache();
}

std::optional<std::int64_t> CudaInstruments::allocRetries()
{
    return caching::getDeviceStats(m_index).num_alloc_retries;
}

protocol::OutOfMemoryFacts CudaInstruments::failedRequest(const protocol::OutOfMemoryFacts& said)
{
    return m_refusals->exact(said);
}

std::optional<Bytes> CudaInstruments::limit()
{
    return m_limit ? m_limit : static_cast<Bytes>(deviceMemory(m_index).totalBytes);
}

// For the device, not the process: it includes the memory of other processes.
Bytes CudaInstruments::outsideBytes()
{
    synchronise();
    const protocol::MemoryFigures figures = current();
    return *figures.device - *figures.reserved;
}

void CudaInstruments::startCapture()
{
    if (!m_capture)
        return;
    m_capture->start([this] { return outsideBytes(); });
    m_looking = Looking::AtEverything;
}

Capture CudaInstruments::stopCapture()
{
    m_looking = Looking::AtTheAllocator;
    Capture capture;
    if (m_capture) {
        cudaDeviceSynchronize(); // an error that ended a trace early must not lose the trace
        capture = m_capture->stop();
    }
    for (std::string& loss : m_losses)
        capture.losses.push_back(std::move(loss));
    for (std::string& note : m_notes)
        capture.diagnostics.push_back(std::move(note));
    m_losses.clear();
    m_notes.clear();
    return capture;
}

void CudaInstruments::pauseCapture()
{
    if (m_capture)
        m_capture->pause([this] { return outsideBytes(); });
}

void CudaInstruments::resumeCapture()
{
    if (m_capture)
        m_capture->resume([this] { return outsideBytes(); });
}

// Otherwise kernels of this phase would run, and be recorded, in the next one. Called where a phase's scope ends, so it
// must not throw: an error of the device shows in the next call that may.
void CudaInstruments::phaseEnds(const std::string&, std::int64_t)
{
    if (m_looking != Looking::AtEverything)
        return;
    cudaDeviceSynchronize();
    m_capture->deliver();
}

void CudaInstruments::observeAllocations(TraceObserver observer)
{
    if (!observer)
        return endTrace();
    try {
        allocatorTracker().follow(m_trace);
    } catch (const c10::Error& error) {
        throw TrialError(std::string("LibTorch's allocator cannot be traced: ") + error.what_without_backtrace(),
            "cuda:" + std::to_string(m_index), "backend:native in PYTORCH_ALLOC_CONF");
    }
    m_trace.begin(std::move(observer), [] { return caching::snapshot(); });
    m_isTracing = true;
}

void CudaInstruments::endTrace()
{
    allocatorTracker().leave(m_trace);
    m_trace.end();
    if (std::exchange(m_isTracing, false))
        checkTrace();
}

// The trace is held to what the allocator itself counted.
void CudaInstruments::checkTrace()
{
    if (m_trace.lost() > 0)
        m_losses.push_back(std::to_string(m_trace.lost())
            + " events of LibTorch's allocator were lost: the sums of the trace are wrong");
    if (m_trace.misfits() > 0)
        m_losses.push_back("the sizes of " + std::to_string(m_trace.misfits())
            + " blocks are not certain: they do not fit in the segments and blocks that the trace knows");
    const Bytes counted = currentOf(caching::getDeviceStats(m_index).allocated_bytes);
    if (counted != m_trace.allocatedBytes())
        m_losses.push_back("the trace ends with " + std::to_string(m_trace.allocatedBytes())
            + " allocated bytes, LibTorch's allocator with " + std::to_string(counted));
}

void CudaInstruments::handOnEvents()
{
    m_trace.handOn();
}

// The handle of each thread, the forward's and autograd's, took a workspace in the earlier steps. Without the profiles
// the trace is complete but for the owner of these blocks.
void CudaInstruments::claimWorkspaces()
{
    try {
        const simulator::ProfileCatalogue catalogue(config::resourceDirectory());
        const CudaDevice device = cudaAvailability().devices.at(static_cast<std::size_t>(m_index));
        const Bytes bytes = cublasWorkspaceBytes(std::getenv("CUBLAS_WORKSPACE_CONFIG"),
            catalogue.runtime(config::kDefaultRuntime), {device.capabilityMajor, device.capabilityMinor});
        m_trace.claimUnknown(bytes, {config::MemoryCategory::Workspaces});
    } catch (const Error& error) {
        m_notes.push_back(std::string("workspaces of cuBLAS remain unknown in the trace: ") + error.what());
    }
}

void CudaInstruments::relabel(std::uint64_t address, const tensor::LabelChange& change)
{
    m_trace.relabel(address, change);
}

} // namespace headroom::collectors
