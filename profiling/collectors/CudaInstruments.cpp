// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/CudaInstruments.h"

#include "core/config/DeviceSpec.h"
#include "core/config/Error.h"
#include "core/config/Installation.h"
#include "core/tensor/MemoryAttribution.h"
#include "profiling/collectors/CublasWorkspaceSize.h"
#include "profiling/collectors/CudaRuntime.h"
#include "profiling/collectors/HostProcess.h"
#include "profiling/simulator/ProfileCatalogue.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <mutex>
#include <vector>

namespace headroom::collectors {
namespace {

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

// Nothing for entries that are no allocation.
std::optional<trace::Action> actionOf(caching::TraceEntry::Action action)
{
    using Entry = caching::TraceEntry;
    switch (action) {
    case Entry::ALLOC:
        return trace::Action::Alloc;
    case Entry::FREE_REQUESTED:
        return trace::Action::FreeRequested;
    case Entry::FREE_COMPLETED:
        return trace::Action::FreeCompleted;
    case Entry::SEGMENT_ALLOC:
        return trace::Action::SegmentAlloc;
    case Entry::SEGMENT_FREE:
        return trace::Action::SegmentFree;
    case Entry::SEGMENT_MAP:
        return trace::Action::SegmentMap;
    case Entry::SEGMENT_UNMAP:
        return trace::Action::SegmentUnmap;
    case Entry::OOM:
        return trace::Action::OutOfMemory;
    default:
        return std::nullopt;
    }
}

// Trace entries carry what was asked for; blocks are multiples of 512 bytes (unsplit slack is not told).
constexpr Bytes kBlockStep = 512;

// As it comes, under the allocator's lock. Whose a block is when it is given back is worked out when it is handed on.
struct Gathered {
    trace::AllocatorEvent event;
    tensor::MemoryLabel label{}; ///< of Alloc
    tensor::LabelChange change{}; ///< of Relabelled
};

// What is alive when a trace begins, segments before their blocks.
std::vector<Gathered> liveBlocks(int index, std::int64_t timeNs)
{
    std::vector<Gathered> events;
    for (const auto& segment : caching::snapshot().segments) {
        if (segment.device != index)
            continue;
        const auto total = static_cast<Bytes>(segment.total_size);
        events.push_back({{timeNs, segment.address, total, total, 0, trace::Action::SegmentAlloc}});
        std::uint64_t address = segment.address;
        for (const auto& block : segment.blocks) {
            if (block.allocated)
                events.push_back({{timeNs, address, static_cast<Bytes>(block.size),
                    static_cast<Bytes>(block.requested_size), 0, trace::Action::Alloc}});
            address += block.size;
        }
    }
    return events;
}

} // namespace

// Trackers run under the allocator's lock and cannot be detached: this one lives as long as the process, and while
// nobody records it only looks at a flag.
struct CudaInstruments::Trace {
    std::mutex mutex;
    bool isRecording = false;
    std::chrono::steady_clock::time_point start;
    std::vector<Gathered> events;
    BlockLabels labels;
    TraceObserver observer;

    std::optional<LabelledEvent> labelled(const Gathered& gathered)
    {
        const trace::AllocatorEvent& event = gathered.event;
        if (event.action == trace::Action::Relabelled)
            return labels.relabelled(event.address, gathered.change, event.timeNs);
        return labels.labelled(event, gathered.label);
    }

    void relabel(std::uint64_t address, const tensor::LabelChange& change)
    {
        const std::scoped_lock lock(mutex);
        if (!isRecording)
            return;
        const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - start;
        trace::AllocatorEvent event;
        event.timeNs = time.count();
        event.address = address;
        event.action = trace::Action::Relabelled;
        events.push_back({event, {}, change});
    }

    void add(const caching::TraceEntry& entry, int index)
    {
        const std::scoped_lock lock(mutex);
        const auto action = actionOf(entry.action_);
        if (!isRecording || entry.device_ != index || !action)
            return;
        const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - start;
        const auto bytes = static_cast<Bytes>(entry.size_);
        events.push_back({{time.count(), entry.addr_, roundUp(bytes, kBlockStep), bytes, 0, *action},
            *action == trace::Action::Alloc ? tensor::currentLabel() : tensor::MemoryLabel{}, {}});
    }
};

CudaInstruments::CudaInstruments(int index, std::optional<Bytes> limitBytes)
    : m_index(static_cast<std::int8_t>(index))
    , m_limit(limitBytes)
{
    openCudaDevice(index);
    if (m_limit)
        caching::setMemoryFraction(
            std::min(1.0, static_cast<double>(*m_limit) / static_cast<double>(deviceMemory(index).totalBytes)),
            m_index);
    auto trace = std::make_shared<Trace>();
    m_trace = trace.get();
    m_trace->start = m_start;
    caching::attachAllocatorTraceTracker(
        [trace, index](const caching::TraceEntry& entry) { trace->add(entry, index); });
}

CudaInstruments::~CudaInstruments()
{
    const std::scoped_lock lock(m_trace->mutex);
    m_trace->isRecording = false;
}

std::chrono::nanoseconds CudaInstruments::now()
{
    return std::chrono::steady_clock::now() - m_start;
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
    return figures;
}

protocol::MemoryFigures CudaInstruments::peak()
{
    const auto stats = caching::getDeviceStats(m_index);
    protocol::MemoryFigures figures;
    figures.allocated = peakOf(stats.allocated_bytes);
    figures.reserved = peakOf(stats.reserved_bytes);
    figures.requested = peakOf(stats.requested_bytes);
    return figures;
}

void CudaInstruments::resetPeak()
{
    caching::resetPeakStats(m_index);
}

std::optional<Bytes> CudaInstruments::residentPeak()
{
    return peakResidentBytes();
}

void CudaInstruments::restartResidentPeak()
{
    resetPeakResident();
}

void CudaInstruments::emptyCache()
{
    caching::emptyCache();
}

std::optional<std::int64_t> CudaInstruments::allocRetries()
{
    return caching::getDeviceStats(m_index).num_alloc_retries;
}

std::optional<Bytes> CudaInstruments::limit()
{
    return m_limit ? m_limit : static_cast<Bytes>(deviceMemory(m_index).totalBytes);
}

// Events are only gathered under the allocator's lock and handed on between phases.
void CudaInstruments::observeAllocations(TraceObserver observer)
{
    handOnEvents();
    std::vector<Gathered> alive;
    if (observer)
        alive = liveBlocks(m_index, now().count());
    const std::scoped_lock lock(m_trace->mutex);
    m_trace->isRecording = static_cast<bool>(observer);
    m_trace->observer = std::move(observer);
    m_trace->events = std::move(alive);
    m_trace->labels = {};
}

void CudaInstruments::handOnEvents()
{
    std::vector<Gathered> events;
    {
        const std::scoped_lock lock(m_trace->mutex);
        events.swap(m_trace->events);
    }
    for (const Gathered& gathered : events)
        if (const auto event = m_trace->labelled(gathered); event && m_trace->observer)
            m_trace->observer(*event);
}

// Each thread's handle took one in the steps before: the forward's, and that of autograd.
void CudaInstruments::claimWorkspaces()
{
    if (!m_trace->observer)
        return;
    const simulator::ProfileCatalogue catalogue(config::resourceDirectory());
    const CudaDevice device = cudaAvailability().devices.at(static_cast<std::size_t>(m_index));
    const Bytes bytes = cublasWorkspaceBytes(std::getenv("CUBLAS_WORKSPACE_CONFIG"),
        catalogue.runtime(config::kDefaultRuntime), {device.capabilityMajor, device.capabilityMinor});
    for (const LabelledEvent& event :
        m_trace->labels.claimUnknown(bytes, {config::MemoryCategory::Workspaces}, now().count()))
        m_trace->observer(event);
}

void CudaInstruments::relabel(std::uint64_t address, const tensor::LabelChange& change)
{
    m_trace->relabel(address, change);
}

} // namespace headroom::collectors
