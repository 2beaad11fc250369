// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/nvml/DeviceState.h"

#include <algorithm>
#include <limits>
#include <map>

namespace headroom::collectors::nvml {
namespace {

constexpr unsigned kMemoryInfoVersion = sizeof(MemoryInfo) | (2U << 24U);
constexpr auto kNotAvailable = std::numeric_limits<unsigned long long>::max();

using ListCall = Status (*)(DeviceHandle*, unsigned*, ProcessInfo*);
using Processes = std::vector<ProcessInfo>;

// The value from a call with one result; nullopt if the call is missing or fails.
template <typename Value, typename Call, typename... Arguments>
std::optional<Value> answerOf(Call call, Arguments... arguments)
{
    Value value{};
    if (call == nullptr || call(arguments..., &value) != kSuccess)
        return std::nullopt;
    return value;
}

void addMemory(trace::DeviceSample& sample, const Calls& calls, DeviceHandle* device)
{
    MemoryInfo memory;
    memory.version = kMemoryInfoVersion;
    if (calls.memoryInfo != nullptr && calls.memoryInfo(device, &memory) == kSuccess) {
        sample.totalBytes = static_cast<Bytes>(memory.total);
        sample.usedBytes = static_cast<Bytes>(memory.used);
        sample.freeBytes = static_cast<Bytes>(memory.free);
        sample.reservedBytes = static_cast<Bytes>(memory.reserved);
    } else if (const auto plain = answerOf<PlainMemoryInfo>(calls.plainMemoryInfo, device)) {
        sample.totalBytes = static_cast<Bytes>(plain->total);
        sample.usedBytes = static_cast<Bytes>(plain->used);
        sample.freeBytes = static_cast<Bytes>(plain->free);
    }
}

// The list may grow between the query of its length and the query of its contents.
std::optional<Processes> listOf(ListCall call, DeviceHandle* device)
{
    if (call == nullptr)
        return std::nullopt;
    Processes processes(16);
    for (int attempt = 0; attempt < 3; ++attempt) {
        auto count = static_cast<unsigned>(processes.size());
        const Status status = call(device, &count, processes.data());
        processes.resize(status == kInsufficientSize ? count + 8 : count);
        if (status == kSuccess)
            return processes;
        if (status != kInsufficientSize)
            return std::nullopt;
    }
    return std::nullopt;
}

// A process that uses both compute and graphics is in both lists, with the same bytes.
std::optional<std::map<unsigned, unsigned long long>> bytesByProcess(const Calls& calls, DeviceHandle* device)
{
    const auto computing = listOf(calls.computeProcesses, device);
    if (!computing)
        return std::nullopt;
    std::map<unsigned, unsigned long long> bytes;
    for (const Processes& list : {*computing, listOf(calls.graphicsProcesses, device).value_or(Processes{})})
        for (const ProcessInfo& process : list) {
            unsigned long long& most = bytes[process.pid];
            most = std::max(most, process.usedBytes);
        }
    return bytes;
}

void addProcesses(trace::DeviceSample& sample, const Calls& calls, DeviceHandle* device, unsigned processId)
{
    auto bytes = bytesByProcess(calls, device);
    if (!bytes || !bytes->contains(processId))
        return;
    const unsigned long long own = bytes->at(processId);
    bytes->erase(processId);
    if (own != kNotAvailable)
        sample.processBytes = static_cast<Bytes>(own);
    sample.otherProcesses = static_cast<std::int64_t>(bytes->size());
    Bytes others = 0;
    for (const auto& [pid, used] : *bytes) {
        if (used == kNotAvailable)
            return;
        others += static_cast<Bytes>(used);
    }
    sample.otherProcessesBytes = others;
}

} // namespace

trace::DeviceSample stateOf(const Calls& calls, DeviceHandle* device, unsigned processId)
{
    trace::DeviceSample sample;
    addMemory(sample, calls, device);
    addProcesses(sample, calls, device, processId);
    if (const auto utilisation = answerOf<Utilisation>(calls.utilisation, device)) {
        sample.gpuUtilisation = utilisation->gpu / 100.0;
        sample.memoryUtilisation = utilisation->memory / 100.0;
    }
    if (const auto clock = answerOf<unsigned>(calls.clock, device, Clock::Sm))
        sample.smClockMhz = *clock;
    if (const auto clock = answerOf<unsigned>(calls.clock, device, Clock::Memory))
        sample.memoryClockMhz = *clock;
    if (const auto power = answerOf<unsigned>(calls.powerMilliwatts, device))
        sample.powerWatts = *power / 1000.0;
    if (const auto temperature = answerOf<unsigned>(calls.temperature, device, Sensor::Gpu))
        sample.temperatureCelsius = *temperature;
    if (const auto reasons = answerOf<unsigned long long>(calls.throttleReasons, device))
        sample.throttleReasons = *reasons;
    return sample;
}

} // namespace headroom::collectors::nvml
