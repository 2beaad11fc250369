// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::trace {

// Records of the driver (CUPTI), the device (NVML) and the host, on the time axis of the trace: nanoseconds since its
// start. Numbers of kinds and operations are CUPTI's own; docs/database.md lists them.

/// The driver's value for "none".
inline constexpr std::uint32_t kNoDeviceId = 0xFFFF'FFFF;

/// CUpti_ActivityMemory4: memory that the driver allocated or released. The time is the host's, of the call.
struct DeviceMemoryRecord {
    std::int64_t timeNs = 0;
    std::uint64_t address = 0;
    Bytes bytes = 0;
    std::uint32_t operation = 0; ///< CUpti_ActivityMemoryOperationType: 1 allocation, 2 release
    std::uint32_t kind =
        0; ///< CUpti_ActivityMemoryKind: 1 pageable, 2 pinned, 3 device, 4 array, 5 managed, 6, 7 static
    std::uint32_t correlationId = 0;
    std::uint32_t processId = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = kNoDeviceId;
    std::uint32_t streamId = kNoDeviceId;
    std::uint64_t programCounter = 0;
    bool isAsync = false;
    std::uint32_t poolType = 0; ///< CUpti_ActivityMemoryPoolType: 0 no pool, 1 local, 2 imported
    std::uint64_t poolAddress = 0;
    Bytes poolReleaseThreshold = 0;
    Bytes poolBytes = 0; ///< of a local pool: taken from the device; of an imported one: its process
    Bytes poolUsedBytes = 0;
    std::string name{}; ///< symbol of a static variable
    std::string source{}; ///< shared object that requested it, where that was enabled

    bool operator==(const DeviceMemoryRecord&) const = default;
};

/// CUpti_ActivityMemoryPool3.
struct MemoryPoolRecord {
    std::int64_t timeNs = 0;
    std::uint32_t operation = 0; ///< CUpti_ActivityMemoryPoolOperationType: 1 created, 2 destroyed, 3 trimmed
    std::uint32_t poolType = 0; ///< 1 local, 2 imported
    std::uint32_t correlationId = 0;
    std::uint32_t processId = 0;
    std::uint32_t deviceId = 0;
    std::uint64_t address = 0;
    Bytes minBytesToKeep = 0; ///< of a trim
    Bytes bytes = 0;
    Bytes usedBytes = 0;
    Bytes releaseThreshold = 0;

    bool operator==(const MemoryPoolRecord&) const = default;
};

/// A virtual-memory call of the driver, from its callback; expandable segments consist of these.
struct VirtualMemoryRecord {
    enum class Call : std::uint8_t { Reserve, Create, Map, Unmap, Release };

    std::int64_t timeNs = 0;
    Call call = Call::Create;
    std::uint64_t address = 0; ///< of reserve, map, unmap
    Bytes bytes = 0;
    std::uint64_t handle = 0; ///< of create, map, release
    std::int32_t deviceId = -1;

    bool operator==(const VirtualMemoryRecord&) const = default;
};

/// CUpti_ActivityMemcpy6 and CUpti_ActivityMemcpyPtoP4.
struct CopyRecord {
    std::int64_t beginNs = 0; ///< 0 together with endNs: the device's buffers were full, the times are lost
    std::int64_t endNs = 0;
    Bytes bytes = 0;
    std::uint32_t copyKind = 0; ///< CUpti_ActivityMemcpyKind: 1 HtoD, 2 DtoH, ... 10 PtoP
    std::uint32_t sourceKind = 0;
    std::uint32_t destinationKind = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t correlationId = 0;
    std::uint64_t graphNodeId = 0;
    std::uint32_t sourceDeviceId = kNoDeviceId; ///< of peer copies
    std::uint32_t destinationDeviceId = kNoDeviceId;
    std::uint64_t copyCount = 1;
    bool isAsync = false;

    bool operator==(const CopyRecord&) const = default;
};

/// CUpti_ActivityMemset4.
struct MemsetRecord {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    Bytes bytes = 0;
    std::uint32_t value = 0;
    std::uint32_t memoryKind = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t correlationId = 0;
    std::uint64_t graphNodeId = 0;
    bool isAsync = false;

    bool operator==(const MemsetRecord&) const = default;
};

/// CUpti_ActivityKernel10.
struct KernelRecord {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t correlationId = 0;
    std::int64_t gridId = 0;
    std::int32_t gridX = 0;
    std::int32_t gridY = 0;
    std::int32_t gridZ = 0;
    std::int32_t blockX = 0;
    std::int32_t blockY = 0;
    std::int32_t blockZ = 0;
    std::uint32_t registersPerThread = 0;
    Bytes staticSharedBytes = 0;
    Bytes dynamicSharedBytes = 0;
    Bytes executedSharedBytes = 0;
    Bytes localBytesPerThread = 0;
    Bytes localBytes = 0; ///< backing store of local memory: no allocation record shows it
    std::uint32_t launchType = 0;
    std::uint64_t graphNodeId = 0;
    std::string name{}; ///< mangled

    bool operator==(const KernelRecord&) const = default;
};

/// CUpti_ActivityAPI of the runtime or the driver.
struct ApiRecord {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    bool isDriver = false;
    std::uint32_t callbackId = 0;
    std::string name{}; ///< with its version: "cudaMalloc_v3020"
    std::uint32_t processId = 0;
    std::uint32_t threadId = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t returnValue = 0;

    bool operator==(const ApiRecord&) const = default;
};

/// CUpti_ActivityOverhead3: the cost of the capture itself.
struct OverheadRecord {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t kind = 0; ///< CUpti_ActivityOverheadKind
    std::uint32_t processId = 0;
    std::uint32_t threadId = 0;
    std::uint32_t correlationId = 0;

    bool operator==(const OverheadRecord&) const = default;
};

/// An NVTX range or instantaneous marker; the decoder has joined begin and end (CUpti_ActivityMarker2).
struct MarkerRecord {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0; ///< of a marker: its begin; of a range that did not end: -1
    std::uint32_t id = 0;
    bool isMark = false;
    std::uint32_t processId = 0;
    std::uint32_t threadId = 0;
    std::string name{};
    std::string domain{};

    bool operator==(const MarkerRecord&) const = default;
};

/// NVML's figures for the device at one moment. Sampled: shorter peaks are missed.
struct DeviceSample {
    std::int64_t timeNs = 0;
    std::optional<Bytes> totalBytes{};
    std::optional<Bytes> usedBytes{};
    std::optional<Bytes> freeBytes{};
    std::optional<Bytes> reservedBytes{}; ///< by driver and firmware
    std::optional<Bytes> processBytes{}; ///< of this process
    std::optional<Bytes> otherProcessesBytes{};
    std::optional<std::int64_t> otherProcesses{};
    std::optional<double> gpuUtilisation{}; ///< 0 to 1
    std::optional<double> memoryUtilisation{}; ///< 0 to 1, of its bandwidth
    std::optional<std::int64_t> smClockMhz{};
    std::optional<std::int64_t> memoryClockMhz{};
    std::optional<double> powerWatts{};
    std::optional<double> temperatureCelsius{};
    std::optional<std::uint64_t> throttleReasons{}; ///< NVML's bit mask, unchanged

    bool operator==(const DeviceSample&) const = default;
};

/// The host's memory at one moment.
struct HostSample {
    std::int64_t timeNs = 0;
    std::optional<Bytes> residentBytes{};
    std::optional<Bytes> pinnedBytes{};

    bool operator==(const HostSample&) const = default;
};

/// The same instant on three clocks, to relate records with different clocks.
struct ClockSync {
    std::int64_t timeNs = 0; ///< on the trace's axis
    std::int64_t realtimeNs = 0; ///< CLOCK_REALTIME, since 1970
    std::int64_t monotonicNs = 0; ///< CLOCK_MONOTONIC

    bool operator==(const ClockSync&) const = default;
};

/// All records of one capture, or a part of them. Each list is in order of arrival, not of time.
struct DeviceRecords {
    std::vector<DeviceMemoryRecord> memory{};
    std::vector<MemoryPoolRecord> pools{};
    std::vector<VirtualMemoryRecord> virtualMemory{};
    std::vector<CopyRecord> copies{};
    std::vector<MemsetRecord> memsets{};
    std::vector<KernelRecord> kernels{};
    std::vector<ApiRecord> calls{};
    std::vector<OverheadRecord> overheads{};
    std::vector<MarkerRecord> markers{};
    std::vector<DeviceSample> deviceSamples{};
    std::vector<HostSample> hostSamples{};
    std::vector<ClockSync> clocks{};

    bool operator==(const DeviceRecords&) const = default;
};

} // namespace headroom::trace
