// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/NsysTable.h"

namespace headroom::interchange::nsys {

const NsysTable kStringIds{"StringIds", "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL"};
const NsysTable kExportMetadata{"META_DATA_EXPORT", "name TEXT NOT NULL, value TEXT"};
const NsysTable kCaptureMetadata{"META_DATA_CAPTURE", "name TEXT NOT NULL, value TEXT"};
const NsysTable kSessionStart{"TARGET_INFO_SESSION_START_TIME", "utcEpochNs INTEGER, utcTime TEXT, localTime TEXT"};
const NsysTable kAnalysisDetails{"ANALYSIS_DETAILS",
    "globalVid INTEGER NOT NULL, duration INTEGER NOT NULL, startTime INTEGER NOT NULL, stopTime INTEGER NOT NULL"};

const NsysTable kGpus{"TARGET_INFO_GPU",
    "vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, totalMemory INTEGER, cuDevice INTEGER",
    "busLocation TEXT, isDiscrete INTEGER, l2CacheSize INTEGER, memoryBandwidth INTEGER, clockRate INTEGER, "
    "smCount INTEGER, pwGpuId INTEGER, uuid TEXT, luid INTEGER, chipName TEXT, ctxswDevPath TEXT, ctrlDevPath TEXT, "
    "revision INTEGER, constantMemory INTEGER, maxIPC INTEGER, maxRegistersPerBlock INTEGER, "
    "maxShmemPerBlock INTEGER, maxShmemPerBlockOptin INTEGER, maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER, "
    "threadsPerWarp INTEGER, asyncEngines INTEGER, maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER, "
    "maxThreadsPerBlock INTEGER, maxBlockDimX INTEGER, maxBlockDimY INTEGER, maxBlockDimZ INTEGER, "
    "maxGridDimX INTEGER, maxGridDimY INTEGER, maxGridDimZ INTEGER, computeMajor INTEGER, computeMinor INTEGER, "
    "smMajor INTEGER, smMinor INTEGER"};
const NsysTable kCudaDevices{"TARGET_INFO_CUDA_DEVICE",
    "gpuId INTEGER NOT NULL, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL", "uuid TEXT, numMultiprocessors INTEGER"};
const NsysTable kSystemEnvironment{"TARGET_INFO_SYSTEM_ENV",
    "globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT NOT NULL, nameEnum INTEGER NOT NULL, value TEXT NOT "
    "NULL"};
const NsysTable kProcesses{"PROCESSES", "globalPid INTEGER, pid INTEGER, name TEXT"};
const NsysTable kThreadNames{"ThreadNames", "nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER"};

const NsysTable kRuntime{"CUPTI_ACTIVITY_KIND_RUNTIME",
    "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
    "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL",
    "callchainId INTEGER"};
const NsysTable kKernels{"CUPTI_ACTIVITY_KIND_KERNEL",
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
    "demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, "
    "cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, "
    "gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
    "staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, "
    "localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL, "
    "sharedMemoryExecuted INTEGER, graphNodeId INTEGER",
    "sharedMemoryLimitConfig INTEGER, graphId INTEGER, clusterX INTEGER, clusterY INTEGER, clusterZ INTEGER"};
const NsysTable kMemcpy{"CUPTI_ACTIVITY_KIND_MEMCPY",
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
    "bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER, "
    "srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER, dstContextId INTEGER, migrationCause INTEGER, "
    "graphNodeId INTEGER, virtualAddress INTEGER, copyCount INTEGER"};
const NsysTable kMemset{"CUPTI_ACTIVITY_KIND_MEMSET",
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
    "value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER"};
const NsysTable kMemoryUsage{"CUDA_GPU_MEMORY_USAGE_EVENTS",
    "start INTEGER NOT NULL, globalPid INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "address INTEGER NOT NULL, pc INTEGER NOT NULL, bytes INTEGER NOT NULL, memKind INTEGER NOT NULL, "
    "memoryOperationType INTEGER NOT NULL, name TEXT, correlationId INTEGER, streamId INTEGER, "
    "localMemoryPoolAddress INTEGER, localMemoryPoolReleaseThreshold INTEGER, localMemoryPoolSize INTEGER, "
    "localMemoryPoolUtilizedSize INTEGER, importedMemoryPoolAddress INTEGER, importedMemoryPoolProcessId INTEGER"};
const NsysTable kMemoryPools{"CUDA_GPU_MEMORY_POOL_EVENTS",
    "start INTEGER NOT NULL, globalPid INTEGER NOT NULL, deviceId INTEGER NOT NULL, address INTEGER NOT NULL, "
    "operationType INTEGER NOT NULL, poolType INTEGER NOT NULL, correlationId INTEGER, minBytesToKeep INTEGER, "
    "localMemoryPoolReleaseThreshold INTEGER, localMemoryPoolSize INTEGER, localMemoryPoolUtilizedSize INTEGER"};
const NsysTable kNvtx{"NVTX_EVENTS",
    "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, "
    "color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, "
    "uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, "
    "floatValue REAL, jsonTextId INTEGER, jsonText TEXT",
    "binaryData TEXT"};
const NsysTable kOverhead{"PROFILER_OVERHEAD",
    "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
    "correlationId INTEGER, nameId INTEGER NOT NULL, overheadType INTEGER"};

const NsysTable kHeadroomAbout{"headroom_about", "name TEXT NOT NULL, value TEXT"};
const NsysTable kHeadroomTracks{"headroom_tracks",
    "id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, events INTEGER NOT NULL, allocated_before INTEGER NOT NULL, "
    "reserved_before INTEGER NOT NULL, active_before INTEGER NOT NULL"};
// The first columns are named as in PyTorch's device_traces.
const NsysTable kHeadroomEvents{"headroom_device_traces",
    "time_us INTEGER NOT NULL, action TEXT NOT NULL, addr INTEGER NOT NULL, size INTEGER NOT NULL, "
    "stream INTEGER NOT NULL, start INTEGER NOT NULL, requested_size INTEGER NOT NULL, track INTEGER NOT NULL, "
    "owner INTEGER, previous_owner INTEGER"};
const NsysTable kHeadroomOwners{"headroom_owners",
    "id INTEGER NOT NULL PRIMARY KEY, category TEXT NOT NULL, module TEXT, technique TEXT, "
    "source TEXT, frames TEXT"};
const NsysTable kHeadroomCategories{"headroom_categories",
    "track INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, category TEXT NOT NULL, "
    "bytes INTEGER NOT NULL"};
const NsysTable kHeadroomPhases{
    "headroom_phases", "name TEXT NOT NULL, step INTEGER, start INTEGER NOT NULL, end INTEGER NOT NULL"};
const NsysTable kHeadroomDeviceSamples{"headroom_device_samples",
    "start INTEGER NOT NULL, total_bytes INTEGER, used_bytes INTEGER, free_bytes INTEGER, reserved_bytes INTEGER, "
    "process_bytes INTEGER, other_processes_bytes INTEGER, other_processes INTEGER, gpu_utilisation REAL, "
    "memory_utilisation REAL, sm_clock_mhz INTEGER, memory_clock_mhz INTEGER, power_watts REAL, "
    "temperature_celsius REAL, throttle_reasons INTEGER"};
const NsysTable kHeadroomHostSamples{
    "headroom_host_samples", "start INTEGER NOT NULL, resident_bytes INTEGER, pinned_bytes INTEGER"};
const NsysTable kHeadroomVirtualMemory{"headroom_virtual_memory",
    "start INTEGER NOT NULL, call TEXT NOT NULL, address INTEGER NOT NULL, bytes INTEGER NOT NULL, "
    "handle INTEGER NOT NULL, device_id INTEGER NOT NULL"};
const NsysTable kHeadroomClocks{
    "headroom_clocks", "start INTEGER NOT NULL, realtime_ns INTEGER NOT NULL, monotonic_ns INTEGER NOT NULL"};
const NsysTable kHeadroomDiagnostics{"headroom_diagnostics",
    "severity TEXT NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL, count INTEGER NOT NULL"};

} // namespace headroom::interchange::nsys
