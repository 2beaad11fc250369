# SPDX-License-Identifier: Apache-2.0
"""What scripts written for SQLite exports of Nsight Systems rely on: tables, columns, values, and queries of theirs."""

# Of schema 3.16: column -> must not be null. What is written beside these is newer and may be null.
TABLES = {
    "StringIds": {"id": True, "value": True},
    "META_DATA_EXPORT": {"name": True, "value": False},
    "META_DATA_CAPTURE": {"name": True, "value": False},
    "ANALYSIS_DETAILS": {"globalVid": True, "duration": True, "startTime": True, "stopTime": True},
    "TARGET_INFO_SESSION_START_TIME": {"utcEpochNs": False, "utcTime": False, "localTime": False},
    "TARGET_INFO_GPU": {"vmId": True, "id": True, "name": False, "totalMemory": False, "smCount": False},
    "TARGET_INFO_CUDA_DEVICE": {"gpuId": True, "cudaId": True, "pid": True, "uuid": False},
    "PROCESSES": {"globalPid": False, "pid": False, "name": False},
    "ThreadNames": {"nameId": True, "priority": False, "globalTid": False},
    "CUPTI_ACTIVITY_KIND_RUNTIME": {
        "start": True, "end": True, "eventClass": True, "globalTid": False, "correlationId": False, "nameId": True,
        "returnValue": True, "callchainId": False,
    },
    "CUPTI_ACTIVITY_KIND_KERNEL": {
        "start": True, "end": True, "deviceId": True, "contextId": True, "greenContextId": False, "streamId": True,
        "correlationId": False, "globalPid": False, "demangledName": True, "shortName": True, "mangledName": False,
        "launchType": False, "cacheConfig": False, "registersPerThread": True, "gridX": True, "gridY": True,
        "gridZ": True, "blockX": True, "blockY": True, "blockZ": True, "staticSharedMemory": True,
        "dynamicSharedMemory": True, "localMemoryPerThread": True, "localMemoryTotal": True, "gridId": True,
        "sharedMemoryExecuted": False, "graphNodeId": False, "sharedMemoryLimitConfig": False,
    },
    "CUPTI_ACTIVITY_KIND_MEMCPY": {
        "start": True, "end": True, "deviceId": True, "contextId": True, "greenContextId": False, "streamId": True,
        "correlationId": False, "globalPid": False, "bytes": True, "copyKind": True, "srcKind": False,
        "dstKind": False, "srcDeviceId": False, "srcContextId": False, "dstDeviceId": False, "dstContextId": False,
        "migrationCause": False, "graphNodeId": False, "virtualAddress": False,
    },
    "CUPTI_ACTIVITY_KIND_MEMSET": {
        "start": True, "end": True, "deviceId": True, "contextId": True, "greenContextId": False, "streamId": True,
        "correlationId": False, "globalPid": False, "value": True, "bytes": True, "graphNodeId": False,
        "memKind": False,
    },
    "CUDA_GPU_MEMORY_USAGE_EVENTS": {
        "start": True, "globalPid": True, "deviceId": True, "contextId": True, "address": True, "pc": True,
        "bytes": True, "memKind": True, "memoryOperationType": True, "name": False, "correlationId": False,
        "streamId": False, "localMemoryPoolAddress": False, "localMemoryPoolReleaseThreshold": False,
        "localMemoryPoolSize": False, "localMemoryPoolUtilizedSize": False, "importedMemoryPoolAddress": False,
        "importedMemoryPoolProcessId": False,
    },
    "CUDA_GPU_MEMORY_POOL_EVENTS": {
        "start": True, "globalPid": True, "deviceId": True, "address": True, "operationType": True, "poolType": True,
        "correlationId": False, "minBytesToKeep": False, "localMemoryPoolReleaseThreshold": False,
        "localMemoryPoolSize": False, "localMemoryPoolUtilizedSize": False,
    },
    "NVTX_EVENTS": {
        "start": True, "end": False, "eventType": True, "rangeId": False, "category": False, "color": False,
        "text": False, "globalTid": False, "endGlobalTid": False, "textId": False, "domainId": False,
        "jsonTextId": False, "jsonText": False,
    },
    "PROFILER_OVERHEAD": {
        "start": True, "end": True, "eventClass": True, "globalTid": False, "correlationId": False, "nameId": True,
        "overheadType": False,
    },
}  # fmt: skip
ALWAYS_THERE = {"StringIds", "META_DATA_EXPORT", "META_DATA_CAPTURE", "ANALYSIS_DETAILS", "PROCESSES", "ThreadNames"}

# Column -> the table of its values.
ENUMS = {
    ("CUDA_GPU_MEMORY_USAGE_EVENTS", "memKind"): "ENUM_CUDA_MEM_KIND",
    ("CUDA_GPU_MEMORY_USAGE_EVENTS", "memoryOperationType"): "ENUM_CUDA_DEV_MEM_EVENT_OPER",
    ("CUPTI_ACTIVITY_KIND_MEMCPY", "copyKind"): "ENUM_CUDA_MEMCPY_OPER",
    ("CUPTI_ACTIVITY_KIND_MEMCPY", "srcKind"): "ENUM_CUDA_MEM_KIND",
    ("CUPTI_ACTIVITY_KIND_MEMSET", "memKind"): "ENUM_CUDA_MEM_KIND",
    ("CUDA_GPU_MEMORY_POOL_EVENTS", "poolType"): "ENUM_CUDA_MEMPOOL_TYPE",
    ("CUDA_GPU_MEMORY_POOL_EVENTS", "operationType"): "ENUM_CUDA_MEMPOOL_OPER",
    ("NVTX_EVENTS", "eventType"): "ENUM_NSYS_EVENT_TYPE",
    ("CUPTI_ACTIVITY_KIND_RUNTIME", "eventClass"): "ENUM_NSYS_EVENT_CLASS",
    ("PROFILER_OVERHEAD", "overheadType"): "ENUM_CUPTI_OVERHEAD_TYPE",
}
# Numbers and words that field scripts have written into them.
FIXED = {
    "ENUM_CUDA_MEM_KIND": {
        0: "Pageable", 1: "Pinned", 2: "Device", 3: "Array", 4: "Managed", 5: "Device Static", 6: "Managed Static",
    },
    "ENUM_CUDA_DEV_MEM_EVENT_OPER": {0: "Allocation", 1: "Deallocation"},
}  # fmt: skip
STRING_COLUMNS = [
    ("CUPTI_ACTIVITY_KIND_RUNTIME", "nameId"), ("CUPTI_ACTIVITY_KIND_KERNEL", "demangledName"),
    ("CUPTI_ACTIVITY_KIND_KERNEL", "shortName"), ("CUPTI_ACTIVITY_KIND_KERNEL", "mangledName"),
    ("ThreadNames", "nameId"), ("PROFILER_OVERHEAD", "nameId"),
]  # fmt: skip

# The peak of device memory, as people ask for it.
PEAK = """
WITH deltas AS (
    SELECT start, rowid, deviceId, CASE memoryOperationType WHEN 0 THEN bytes ELSE -bytes END AS delta
    FROM CUDA_GPU_MEMORY_USAGE_EVENTS WHERE memKind = 2
), sums AS (
    SELECT deviceId, sum(delta) OVER (PARTITION BY deviceId ORDER BY start, rowid) AS held FROM deltas
)
SELECT max(held) FROM sums
"""
# Which call allocated.
CALLS_OF_ALLOCATIONS = """
SELECT count(*) FROM CUDA_GPU_MEMORY_USAGE_EVENTS AS memory
JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS runtime
  ON (runtime.globalTid >> 24) = (memory.globalPid >> 24) AND runtime.correlationId = memory.correlationId
JOIN StringIds ON StringIds.id = runtime.nameId
"""
# From the examples of the documentation: names into a table that lacks them.
ALTERATIONS = """
ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN name TEXT;
ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN kernelName TEXT;
UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET kernelName =
    (SELECT value FROM StringIds
     JOIN CUPTI_ACTIVITY_KIND_KERNEL AS kernel ON kernel.shortName = StringIds.id
     AND CUPTI_ACTIVITY_KIND_RUNTIME.correlationId = kernel.correlationId);
UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET name = (SELECT value FROM StringIds WHERE nameId = StringIds.id);
"""
