// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/MemorySources.h"

#include <algorithm>

namespace headroom::trace {
namespace {

std::optional<Bytes> sumOf(const std::optional<Bytes>& left, const std::optional<Bytes>& right)
{
    return left && right ? std::optional(*left + *right) : std::nullopt;
}

std::optional<Bytes> differenceOf(const std::optional<Bytes>& left, const std::optional<Bytes>& right)
{
    return left && right ? std::optional(*left - *right) : std::nullopt;
}

// A negative remainder is nullopt: one source began late, or was sampled earlier than the other.
std::optional<Bytes> remainderOf(const std::optional<Bytes>& whole, const std::optional<Bytes>& known)
{
    const auto left = differenceOf(whole, known);
    return left && *left < 0 ? std::nullopt : left;
}

const DeviceSample* latest(const std::vector<DeviceSample>& samples, std::int64_t timeNs)
{
    const auto after = std::ranges::upper_bound(samples, timeNs, {}, &DeviceSample::timeNs);
    return after == samples.begin() ? nullptr : &*std::prev(after);
}

} // namespace

RecordedSources recordedSources(const DeviceRecords& records, std::span<const AllocatorEvent> segments)
{
    const bool isRecorded = !records.memory.empty() || !records.pools.empty() || !records.virtualMemory.empty()
        || !records.calls.empty() || !records.kernels.empty() || !records.copies.empty() || !records.memsets.empty()
        || !records.overheads.empty();
    const bool isMapping =
        std::ranges::any_of(segments, [](const AllocatorEvent& event) { return event.action == Action::SegmentMap; });
    return {isRecorded, !records.virtualMemory.empty() || (isRecorded && !isMapping)};
}

Reconciliation::Reconciliation(const DeviceRecords& records, std::uint32_t deviceId,
    std::span<const AllocatorEvent> segments, const MemoryCounters& before)
    : m_driver(records, deviceId, segments)
    , m_recorded(recordedSources(records, segments))
    , m_samples(records.deviceSamples)
    , m_showsAllSegments(before.reserved == 0)
{
    std::ranges::stable_sort(m_samples, {}, &DeviceSample::timeNs);
}

MemorySources Reconciliation::at(std::int64_t timeNs, const MemoryCounters& counters) const
{
    MemorySources sources{.timeNs = timeNs};
    sources.allocatedBytes = counters.allocated;
    sources.reservedBytes = counters.reserved;
    sources.cachedBytes = counters.reserved - counters.allocated;
    addDriver(sources);
    addDevice(sources, counters);
    addSources(sources);
    return sources;
}

void Reconciliation::addDriver(MemorySources& sources) const
{
    if (m_recorded.isDriverRecorded)
        sources.driverBytes = m_driver.deviceBytesAt(sources.timeNs) + m_driver.poolBytesAt(sources.timeNs);
    if (m_recorded.isVirtualMemoryRecorded)
        sources.virtualBytes = m_driver.virtualBytesAt(sources.timeNs);
    sources.outsideTorchBytes = remainderOf(sumOf(sources.driverBytes, sources.virtualBytes), sources.reservedBytes);
}

void Reconciliation::addDevice(MemorySources& sources, const MemoryCounters& counters) const
{
    const DeviceSample* sample = latest(m_samples, sources.timeNs);
    if (sample == nullptr)
        return;
    sources.processBytes = sample->processBytes;
    sources.usedBytes = sample->usedBytes;
    sources.totalBytes = sample->totalBytes;
    sources.sampleAgeNs = sources.timeNs - sample->timeNs;
    sources.untrackedBytes = untracked(*sample);
    sources.headroomBytes =
        sumOf(differenceOf(sample->totalBytes, sample->usedBytes), counters.reserved - counters.active);
    const auto first =
        std::ranges::find_if(m_samples, [](const DeviceSample& other) { return other.processBytes.has_value(); });
    if (first != m_samples.end())
        sources.untrackedAtFirstBytes = untracked(*first);
}

// Both at the time of the sample: memory that the driver allocated later is not included.
std::optional<Bytes> Reconciliation::untracked(const DeviceSample& sample) const
{
    if (!m_recorded.isDriverRecorded || !m_recorded.isVirtualMemoryRecorded)
        return std::nullopt;
    return remainderOf(sample.processBytes,
        m_driver.deviceBytesAt(sample.timeNs) + m_driver.poolBytesAt(sample.timeNs)
            + m_driver.virtualBytesAt(sample.timeNs));
}

void Reconciliation::addSources(MemorySources& sources) const
{
    if (!m_recorded.isDriverRecorded || !m_showsAllSegments)
        return;
    std::map<std::string, Bytes> bySource;
    for (const auto allocations : {m_driver.allocations(), m_driver.virtualMemory()})
        for (const DriverAllocation& allocation : allocations)
            if (!allocation.isTorchs && allocation.isThereAt(sources.timeNs))
                bySource[allocation.source] += allocation.bytes;
    if (const Bytes pools = m_driver.poolBytesAt(sources.timeNs); pools > 0)
        bySource["memory pools"] += pools;
    sources.outsideBySource = std::move(bySource);
}

std::vector<std::int64_t> Reconciliation::instants() const
{
    std::vector<std::int64_t> times;
    for (const BytesPoint& point : m_driver.total())
        if (point.timeNs != DriverAllocation::kBeforeCapture)
            times.push_back(point.timeNs);
    for (const DeviceSample& sample : m_samples)
        times.push_back(sample.timeNs);
    std::ranges::sort(times);
    const auto repeated = std::ranges::unique(times);
    times.erase(repeated.begin(), repeated.end());
    return times;
}

} // namespace headroom::trace
