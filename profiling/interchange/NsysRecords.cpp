// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/NsysRecords.h"

#include "profiling/interchange/KernelName.h"
#include "profiling/interchange/NsysEnums.h"

#include <array>

namespace headroom::interchange {
namespace {

constexpr std::uint32_t kLocalPool = 1;
constexpr std::uint32_t kImportedPool = 2;

constexpr std::array kVirtualCalls{"reserve", "create", "map", "unmap", "release"};

template <typename Value> std::optional<Value> onlyIf(bool holds, Value value)
{
    return holds ? std::optional(value) : std::nullopt;
}

std::optional<std::string> unlessEmpty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::uint32_t> known(std::uint32_t id)
{
    return onlyIf(id != trace::kNoDeviceId, id);
}

} // namespace

template <typename Record> void NsysRecords::writeEach(const std::vector<Record>& records)
{
    for (const Record& record : records)
        write(record);
    m_written += static_cast<std::int64_t>(records.size());
}

void NsysRecords::learn(const trace::DeviceRecords& records)
{
    m_hasMemory = m_hasMemory || !records.memory.empty();
    for (const trace::DeviceMemoryRecord& record : records.memory)
        see(record.processId);
    for (const trace::ApiRecord& call : records.calls)
        see(call.processId);
    for (const trace::MarkerRecord& marker : records.markers)
        see(marker.processId);
}

void NsysRecords::write(const trace::DeviceRecords& records)
{
    writeEach(records.memory);
    writeEach(records.pools);
    writeEach(records.virtualMemory);
    writeEach(records.copies);
    writeEach(records.memsets);
    writeEach(records.kernels);
    writeEach(records.calls);
    writeEach(records.overheads);
    writeEach(records.markers);
    writeEach(records.deviceSamples);
    writeEach(records.hostSamples);
    writeEach(records.clocks);
}

void NsysRecords::writeTargets()
{
    see(process());
    for (const std::uint32_t process : m_processes)
        m_database.insert(nsys::kProcesses, globalPid(process), process, "headroom-worker");
    for (const std::uint32_t device : m_devices)
        m_database.insert(nsys::kCudaDevices, device, device, process());
}

void NsysRecords::see(std::uint32_t process)
{
    if (process != 0)
        m_processes.insert(process);
}

bool NsysRecords::hasTimes(std::int64_t beginNs, std::int64_t endNs)
{
    const bool has = beginNs != 0 || endNs != 0;
    m_withoutTimes += has ? 0 : 1;
    return has;
}

void NsysRecords::write(const trace::DeviceMemoryRecord& record)
{
    m_devices.insert(record.deviceId);
    const bool isLocal = record.poolType == kLocalPool;
    const bool isImported = record.poolType == kImportedPool;
    m_database.insert(nsys::kMemoryUsage, record.timeNs, globalPid(record.processId), record.deviceId, record.contextId,
        record.address, record.programCounter, record.bytes, nsys::memoryKind(record.kind),
        nsys::memoryOperation(record.operation), unlessEmpty(record.name), record.correlationId, known(record.streamId),
        onlyIf(isLocal, record.poolAddress), onlyIf(isLocal, record.poolReleaseThreshold),
        onlyIf(isLocal, record.poolBytes), onlyIf(isLocal, record.poolUsedBytes),
        onlyIf(isImported, record.poolAddress), onlyIf(isImported, record.poolBytes));
}

void NsysRecords::write(const trace::MemoryPoolRecord& record)
{
    m_devices.insert(record.deviceId);
    m_database.insert(nsys::kMemoryPools, record.timeNs, globalPid(record.processId), record.deviceId, record.address,
        record.operation, record.poolType, record.correlationId, record.minBytesToKeep, record.releaseThreshold,
        record.bytes, record.usedBytes);
}

void NsysRecords::write(const trace::VirtualMemoryRecord& record)
{
    m_database.insert(nsys::kHeadroomVirtualMemory, record.timeNs,
        kVirtualCalls.at(static_cast<std::size_t>(record.call)), record.address, record.bytes, record.handle,
        record.deviceId);
}

void NsysRecords::write(const trace::CopyRecord& record)
{
    if (!hasTimes(record.beginNs, record.endNs))
        return;
    m_devices.insert(record.deviceId);
    m_database.insert(nsys::kMemcpy, record.beginNs, record.endNs, record.deviceId, record.contextId, std::nullopt,
        record.streamId, record.correlationId, globalPid(process()), record.bytes, record.copyKind, std::nullopt,
        nsys::memoryKind(record.sourceKind), nsys::memoryKind(record.destinationKind), known(record.sourceDeviceId),
        std::nullopt, known(record.destinationDeviceId), std::nullopt, std::nullopt, record.graphNodeId, std::nullopt,
        record.copyCount);
}

void NsysRecords::write(const trace::MemsetRecord& record)
{
    if (!hasTimes(record.beginNs, record.endNs))
        return;
    m_devices.insert(record.deviceId);
    m_database.insert(nsys::kMemset, record.beginNs, record.endNs, record.deviceId, record.contextId, std::nullopt,
        record.streamId, record.correlationId, globalPid(process()), record.value, record.bytes, record.graphNodeId,
        nsys::memoryKind(record.memoryKind));
}

void NsysRecords::write(const trace::KernelRecord& record)
{
    if (!hasTimes(record.beginNs, record.endNs))
        return;
    m_devices.insert(record.deviceId);
    const std::string readable = demangled(record.name);
    m_database.insert(nsys::kKernels, record.beginNs, record.endNs, record.deviceId, record.contextId, std::nullopt,
        record.streamId, record.correlationId, globalPid(process()), m_database.idOf(readable),
        m_database.idOf(shortName(readable)), m_database.idOf(record.name), record.launchType, std::nullopt,
        record.registersPerThread, record.gridX, record.gridY, record.gridZ, record.blockX, record.blockY,
        record.blockZ, record.staticSharedBytes, record.dynamicSharedBytes, record.localBytesPerThread,
        record.localBytes, record.gridId, record.executedSharedBytes, record.graphNodeId);
}

void NsysRecords::write(const trace::ApiRecord& record)
{
    m_database.insert(nsys::kRuntime, record.beginNs, record.endNs,
        record.isDriver ? nsys::kDriverCall : nsys::kRuntimeCall, globalTid(record.processId, record.threadId),
        record.correlationId, m_database.idOf(record.name), record.returnValue);
}

void NsysRecords::write(const trace::OverheadRecord& record)
{
    m_database.insert(nsys::kOverhead, record.beginNs, record.endNs, nsys::kRuntimeCall,
        globalTid(record.processId, record.threadId), record.correlationId, m_database.idOf("CUPTI overhead"),
        record.kind);
}

// CUPTI does not distinguish push/pop ranges from others.
void NsysRecords::write(const trace::MarkerRecord& record)
{
    const std::int64_t thread = globalTid(record.processId, record.threadId);
    const bool hasEnd = !record.isMark && record.endNs >= record.beginNs;
    m_database.insert(nsys::kNvtx, record.beginNs, onlyIf(hasEnd, record.endNs),
        record.isMark ? nsys::kNvtxMark : nsys::kNvtxStartEnd, record.id, std::nullopt, std::nullopt,
        std::string_view(record.name), thread, onlyIf(hasEnd, thread), std::nullopt, 0, std::nullopt, std::nullopt,
        std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

void NsysRecords::write(const trace::DeviceSample& sample)
{
    m_database.insert(nsys::kHeadroomDeviceSamples, sample.timeNs, sample.totalBytes, sample.usedBytes,
        sample.freeBytes, sample.reservedBytes, sample.processBytes, sample.otherProcessesBytes, sample.otherProcesses,
        sample.gpuUtilisation, sample.memoryUtilisation, sample.smClockMhz, sample.memoryClockMhz, sample.powerWatts,
        sample.temperatureCelsius, sample.throttleReasons);
}

void NsysRecords::write(const trace::HostSample& sample)
{
    m_database.insert(nsys::kHeadroomHostSamples, sample.timeNs, sample.residentBytes, sample.pinnedBytes);
}

void NsysRecords::write(const trace::ClockSync& sync)
{
    m_database.insert(nsys::kHeadroomClocks, sync.timeNs, sync.realtimeNs, sync.monotonicNs);
}

} // namespace headroom::interchange
