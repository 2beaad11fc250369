// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/profiler/CuptiRecords.h"

#include "profiling/rehearsal/api/profiler/CuptiBuffers.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace headroom::rehearsal::cupti {
namespace {

template <typename Record> void place(Record& record, const Activity& activity, Times times)
{
    record.start = times.begin;
    record.end = times.end;
    record.deviceId = static_cast<std::uint32_t>(activity.device);
    record.contextId = contextId(activity.device);
    record.streamId = activity.stream;
    record.correlationId = activity.correlation;
    record.graphId = static_cast<std::uint32_t>(activity.graph);
}

CUpti_ActivityMemoryKind memoryKind(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Device:
        return CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    case MemoryKind::Pinned:
    case MemoryKind::Registered:
        return CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    case MemoryKind::Managed:
        return CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
    case MemoryKind::Unregistered:
        return CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    }
    return CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN;
}

bool isOnDevice(MemoryKind kind)
{
    return kind == MemoryKind::Device || kind == MemoryKind::Managed;
}

CUpti_ActivityMemcpyKind copyKind(const Activity& activity)
{
    const bool isFromDevice = isOnDevice(activity.source);
    const bool isToDevice = isOnDevice(activity.destination);
    if (isFromDevice)
        return isToDevice ? CUPTI_ACTIVITY_MEMCPY_KIND_DTOD : CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    return isToDevice ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOD : CUPTI_ACTIVITY_MEMCPY_KIND_HTOH;
}

std::uint32_t processId()
{
    return static_cast<std::uint32_t>(::getpid());
}

std::uint32_t threadId()
{
    return static_cast<std::uint32_t>(::syscall(SYS_gettid));
}

} // namespace

std::uint32_t contextId(int device)
{
    return static_cast<std::uint32_t>(device) + 1;
}

KernelRecord kernelRecord(const Activity& activity, Times times, CUpti_ActivityKind kind)
{
    static std::atomic<std::int64_t> s_grids = 0;
    const Launch& launch = *activity.launch;
    KernelRecord record{};
    record.kind = kind;
    place(record, activity, times);
    record.completed = times.end;
    record.gridId = ++s_grids;
    record.gridX = static_cast<std::int32_t>(launch.grid.x);
    record.gridY = static_cast<std::int32_t>(launch.grid.y);
    record.gridZ = static_cast<std::int32_t>(launch.grid.z);
    record.blockX = static_cast<std::int32_t>(launch.block.x);
    record.blockY = static_cast<std::int32_t>(launch.block.y);
    record.blockZ = static_cast<std::int32_t>(launch.block.z);
    record.registersPerThread = static_cast<std::uint16_t>(launch.registers);
    record.dynamicSharedMemory = static_cast<std::int32_t>(launch.sharedBytes);
    record.sharedMemoryExecuted = static_cast<std::uint32_t>(launch.sharedBytes);
    record.name = launch.name;
    return record;
}

CopyRecord copyRecord(const Activity& activity, Times times)
{
    CopyRecord record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    place(record, activity, times);
    record.copyKind = static_cast<std::uint8_t>(copyKind(activity));
    record.srcKind = static_cast<std::uint8_t>(memoryKind(activity.source));
    record.dstKind = static_cast<std::uint8_t>(memoryKind(activity.destination));
    record.flags = activity.asynchronous ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : CUPTI_ACTIVITY_FLAG_NONE;
    record.bytes = activity.bytes;
    record.copyCount = 1;
    return record;
}

FillRecord fillRecord(const Activity& activity, Times times)
{
    FillRecord record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    place(record, activity, times);
    record.value = activity.value;
    record.bytes = activity.bytes;
    record.flags = activity.asynchronous ? CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC : CUPTI_ACTIVITY_FLAG_NONE;
    record.memoryKind = static_cast<std::uint16_t>(memoryKind(activity.destination));
    return record;
}

WaitRecord waitRecord(const Activity& activity, Times times)
{
    WaitRecord record{};
    record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    record.type = static_cast<CUpti_ActivitySynchronizationType>(activity.waitsFor);
    record.start = times.begin;
    record.end = times.end;
    record.correlationId = activity.correlation;
    record.contextId = contextId(activity.device);
    record.streamId = activity.stream;
    return record;
}

MemoryRecord memoryRecord(const MemoryChange& change, std::uint64_t time)
{
    MemoryRecord record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
    record.memoryOperationType =
        change.taken ? CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION : CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    record.memoryKind = memoryKind(change.kind);
    record.correlationId = change.correlation;
    record.address = reinterpret_cast<std::uint64_t>(change.address);
    record.bytes = change.bytes;
    record.timestamp = time;
    record.processId = processId();
    record.deviceId = static_cast<std::uint32_t>(change.device);
    record.contextId = contextId(change.device);
    record.streamId = change.asynchronous ? change.stream : CUPTI_INVALID_STREAM_ID;
    record.isAsync = change.asynchronous ? 1 : 0;
    if (change.pool != nullptr) {
        record.memoryPoolConfig.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
        record.memoryPoolConfig.address = reinterpret_cast<std::uint64_t>(change.pool);
    }
    return record;
}

PoolRecord poolRecord(const PoolChange& change, std::uint64_t time)
{
    PoolRecord record{};
    record.kind = CUPTI_ACTIVITY_KIND_MEMORY_POOL;
    record.memoryPoolOperationType = change.kind == PoolChange::Kind::Created
        ? CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED
        : change.kind == PoolChange::Kind::Trimmed ? CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED
                                                   : CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_DESTROYED;
    record.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
    record.correlationId = change.correlation;
    record.processId = processId();
    record.deviceId = static_cast<std::uint32_t>(change.device);
    record.address = reinterpret_cast<std::uint64_t>(change.pool);
    record.size = change.reservedBytes;
    record.utilizedSize = change.usedBytes;
    record.releaseThreshold = change.releaseThreshold;
    record.timestamp = time;
    return record;
}

CallRecord callRecord(const Call& call, CUpti_CallbackId callback, Times times)
{
    CallRecord record{};
    record.kind = call.isDriver ? CUPTI_ACTIVITY_KIND_DRIVER : CUPTI_ACTIVITY_KIND_RUNTIME;
    record.cbid = callback;
    record.start = times.begin;
    record.end = times.end;
    record.processId = processId();
    record.threadId = threadId();
    record.correlationId = call.correlation;
    record.returnValue = call.result == nullptr ? 0 : static_cast<std::uint32_t>(*call.result);
    return record;
}

std::size_t recordBytes(CUpti_ActivityKind kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return sizeof(KernelRecord);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return sizeof(CopyRecord);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return sizeof(FillRecord);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        return sizeof(WaitRecord);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return sizeof(MemoryRecord);
    case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
        return sizeof(PoolRecord);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return sizeof(CallRecord);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return sizeof(CUpti_ActivityOverhead3);
    case CUPTI_ACTIVITY_KIND_MARKER:
        return sizeof(CUpti_ActivityMarker2);
    case CUPTI_ACTIVITY_KIND_DEVICE:
        return sizeof(CUpti_ActivityDevice5);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        return sizeof(ExternalRecord);
    default:
        return 0;
    }
}

} // namespace headroom::rehearsal::cupti
