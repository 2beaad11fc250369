// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/ChromeRecords.h"

#include "profiling/interchange/KernelName.h"
#include "profiling/trace/DriverMemory.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

namespace headroom::interchange {
namespace {

constexpr ChromeProcess kHost{2, "Host"};
constexpr int kFirstGpu = 100;

// CUpti_ActivityMemcpyKind.
constexpr std::array kCopyKinds{
    "unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};

std::string copyName(std::uint32_t kind)
{
    return fmt::format("Memcpy {}", kind < kCopyKinds.size() ? kCopyKinds[kind] : "unknown");
}

JsonObject argumentsOf(const trace::KernelRecord& kernel)
{
    return JsonObject()
        .add("correlation", std::int64_t{kernel.correlationId})
        .add("grid", fmt::format("{}, {}, {}", kernel.gridX, kernel.gridY, kernel.gridZ))
        .add("block", fmt::format("{}, {}, {}", kernel.blockX, kernel.blockY, kernel.blockZ))
        .add("registers per thread", std::int64_t{kernel.registersPerThread})
        .add("shared memory", kernel.staticSharedBytes + kernel.dynamicSharedBytes)
        .add("local memory", kernel.localBytes);
}

} // namespace

ChromeRecords::ChromeRecords(const RecordedTrace& trace, ChromeWriter& writer)
    : m_trace(trace)
    , m_writer(writer)
{
}

void ChromeRecords::write()
{
    trace::DeviceRecords memory;
    m_trace.eachRecords([&](const trace::DeviceRecords& records) {
        writeWork(records);
        writeHost(records);
        writeMarkers(records);
        writeSamples(records);
        memory.memory.insert(memory.memory.end(), records.memory.begin(), records.memory.end());
        memory.pools.insert(memory.pools.end(), records.pools.begin(), records.pools.end());
        memory.virtualMemory.insert(
            memory.virtualMemory.end(), records.virtualMemory.begin(), records.virtualMemory.end());
    });
    writeDriverMemory(memory);
}

void ChromeRecords::writeWork(const trace::DeviceRecords& records)
{
    for (const trace::KernelRecord& kernel : records.kernels)
        writeOnStream(
            kernel, "kernels", {readable(kernel.name), "kernel", kernel.beginNs, kernel.endNs, argumentsOf(kernel)});
    for (const trace::CopyRecord& copy : records.copies)
        writeOnStream(copy, "copies",
            {copyName(copy.copyKind), "gpu_memcpy", copy.beginNs, copy.endNs,
                JsonObject().add("correlation", std::int64_t{copy.correlationId}).add("bytes", copy.bytes)});
    for (const trace::MemsetRecord& memset : records.memsets)
        writeOnStream(memset, "fills",
            {"Memset", "gpu_memset", memset.beginNs, memset.endNs,
                JsonObject().add("correlation", std::int64_t{memset.correlationId}).add("bytes", memset.bytes)});
}

template <typename Record>
void ChromeRecords::writeOnStream(const Record& record, const char* what, const ChromeSpan& span)
{
    ++m_records;
    if (record.beginNs == 0 && record.endNs == 0) {
        ++m_withoutTimes;
        return;
    }
    m_writer.span(gpu(record.deviceId), fmt::format("stream {}: {}", record.streamId, what), span);
}

void ChromeRecords::writeHost(const trace::DeviceRecords& records)
{
    for (const trace::ApiRecord& call : records.calls)
        m_writer.span(kHost, fmt::format("thread {}: CUDA", call.threadId),
            {call.name, call.isDriver ? "cuda_driver" : "cuda_runtime", call.beginNs, call.endNs,
                JsonObject()
                    .add("correlation", std::int64_t{call.correlationId})
                    .add("result", std::int64_t{call.returnValue})});
    for (const trace::OverheadRecord& overhead : records.overheads)
        m_writer.span(kHost, fmt::format("thread {}: profiler overhead", overhead.threadId),
            {fmt::format("overhead {}", overhead.kind), "overhead", overhead.beginNs, overhead.endNs});
    m_records += static_cast<std::int64_t>(records.calls.size() + records.overheads.size());
}

void ChromeRecords::writeMarkers(const trace::DeviceRecords& records)
{
    for (const trace::MarkerRecord& marker : records.markers) {
        ++m_records;
        const JsonObject arguments = JsonObject().add("domain", std::string_view(marker.domain));
        // The end of a range that did not end is unknown.
        if (marker.isMark || marker.endNs < marker.beginNs)
            m_writer.instant(kHost, marker.name, marker.beginNs, arguments);
        else
            m_writer.span(kHost, fmt::format("thread {}: NVTX", marker.threadId),
                {marker.name, "user_annotation", marker.beginNs, marker.endNs, arguments});
    }
}

void ChromeRecords::writeSamples(const trace::DeviceRecords& records)
{
    for (const trace::DeviceSample& sample : records.deviceSamples)
        writeSample(sample);
    for (const trace::HostSample& sample : records.hostSamples) {
        if (sample.residentBytes)
            m_writer.counter(kHost, "resident", sample.timeNs, JsonObject().add("bytes", *sample.residentBytes));
        if (sample.pinnedBytes)
            m_writer.counter(kHost, "pinned", sample.timeNs, JsonObject().add("bytes", *sample.pinnedBytes));
    }
    m_records += static_cast<std::int64_t>(records.deviceSamples.size() + records.hostSamples.size());
}

// A figure that a device does not report has no value, rather than 0.
void ChromeRecords::writeSample(const trace::DeviceSample& sample)
{
    const ChromeProcess process = gpu(static_cast<std::uint32_t>(m_trace.deviceIndex()));
    const auto counter = [&](const char* name, const char* unit, const auto& value) {
        if (value)
            m_writer.counter(process, std::string(name) + " (NVML)", sample.timeNs, JsonObject().add(unit, *value));
    };
    counter("used", "bytes", sample.usedBytes);
    counter("used by this process", "bytes", sample.processBytes);
    counter("used by other processes", "bytes", sample.otherProcessesBytes);
    counter("GPU utilisation", "part", sample.gpuUtilisation);
    counter("memory utilisation", "part", sample.memoryUtilisation);
    counter("SM clock", "MHz", sample.smClockMhz);
    counter("memory clock", "MHz", sample.memoryClockMhz);
    counter("power", "W", sample.powerWatts);
    counter("temperature", "C", sample.temperatureCelsius);
}

void ChromeRecords::writeDriverMemory(const trace::DeviceRecords& memory)
{
    std::set<std::uint32_t> devices;
    for (const trace::DeviceMemoryRecord& record : memory.memory)
        devices.insert(record.deviceId);
    for (const trace::MemoryPoolRecord& record : memory.pools)
        devices.insert(record.deviceId);
    if (!memory.virtualMemory.empty())
        devices.insert(static_cast<std::uint32_t>(m_trace.deviceIndex()));
    for (const std::uint32_t device : devices)
        for (const trace::BytesPoint& point : trace::DriverMemory(memory, device, {}).totalFrom(m_trace.firstNs()))
            m_writer.counter(
                gpu(device), "driver memory (CUPTI)", point.timeNs, JsonObject().add("bytes", point.bytes));
    m_records += static_cast<std::int64_t>(memory.memory.size() + memory.pools.size() + memory.virtualMemory.size());
}

ChromeProcess ChromeRecords::gpu(std::uint32_t device)
{
    std::string& name = m_gpuNames[device];
    if (name.empty())
        name = device == trace::kNoDeviceId ? "no device" : fmt::format("GPU {}", device);
    return {kFirstGpu + static_cast<int>(device % 10'000), name};
}

const std::string& ChromeRecords::readable(const std::string& mangled)
{
    const auto [name, isNew] = m_kernelNames.try_emplace(mangled);
    if (isNew)
        name->second = demangled(mangled);
    return name->second;
}

} // namespace headroom::interchange
