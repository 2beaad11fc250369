// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/RecordFields.h"

namespace headroom::collectors::cupti {
namespace {

std::string textOf(const char* text)
{
    return text == nullptr ? std::string() : std::string(text);
}

Bytes recordBytes(std::uint64_t bytes)
{
    return static_cast<Bytes>(bytes);
}

template <typename Record, typename Activity>
void setSpan(Record& record, const Activity& activity, const StampAxis& axis)
{
    if (activity.start == 0 && activity.end == 0)
        return;
    record.beginNs = axis.timeNs(activity.start);
    record.endNs = activity.end == 0 ? record.beginNs : axis.timeNs(activity.end);
}

template <typename Record, typename Activity> void setPlace(Record& record, const Activity& activity)
{
    record.deviceId = activity.deviceId;
    record.contextId = activity.contextId;
    record.streamId = activity.streamId;
    record.correlationId = activity.correlationId;
}

template <typename Activity> trace::CopyRecord copyOf(const Activity& activity, const StampAxis& axis)
{
    trace::CopyRecord record;
    setSpan(record, activity, axis);
    setPlace(record, activity);
    record.bytes = recordBytes(activity.bytes);
    record.copyKind = activity.copyKind;
    record.sourceKind = activity.srcKind;
    record.destinationKind = activity.dstKind;
    record.graphNodeId = activity.graphNodeId;
    record.isAsync = (activity.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
    return record;
}

// The union contains the thread only for these kinds of objects.
template <typename Record, typename Activity> void setThread(Record& record, const Activity& activity)
{
    if (activity.objectKind != CUPTI_ACTIVITY_OBJECT_PROCESS && activity.objectKind != CUPTI_ACTIVITY_OBJECT_THREAD)
        return;
    record.processId = activity.objectId.pt.processId;
    if (activity.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
        record.threadId = activity.objectId.pt.threadId;
}

} // namespace

trace::DeviceMemoryRecord recordOf(const MemoryActivity& activity, const StampAxis& axis)
{
    const auto& pool = activity.memoryPoolConfig;
    trace::DeviceMemoryRecord record;
    setPlace(record, activity);
    record.timeNs = axis.timeNs(activity.timestamp);
    record.address = activity.address;
    record.bytes = recordBytes(activity.bytes);
    record.operation = activity.memoryOperationType;
    record.kind = activity.memoryKind;
    record.processId = activity.processId;
    record.programCounter = activity.PC;
    record.isAsync = activity.isAsync != 0;
    record.poolType = pool.memoryPoolType;
    record.poolAddress = pool.address;
    record.poolReleaseThreshold = recordBytes(pool.releaseThreshold);
    record.poolBytes = recordBytes(pool.pool.size);
    record.poolUsedBytes = recordBytes(pool.utilizedSize);
    record.name = textOf(activity.name);
    record.source = textOf(activity.source);
    return record;
}

trace::MemoryPoolRecord recordOf(const PoolActivity& activity, const StampAxis& axis)
{
    trace::MemoryPoolRecord record;
    record.timeNs = axis.timeNs(activity.timestamp);
    record.operation = activity.memoryPoolOperationType;
    record.poolType = activity.memoryPoolType;
    record.correlationId = activity.correlationId;
    record.processId = activity.processId;
    record.deviceId = activity.deviceId;
    record.address = activity.address;
    record.minBytesToKeep = recordBytes(activity.minBytesToKeep);
    record.bytes = recordBytes(activity.size);
    record.usedBytes = recordBytes(activity.utilizedSize);
    record.releaseThreshold = recordBytes(activity.releaseThreshold);
    return record;
}

trace::CopyRecord recordOf(const CopyActivity& activity, const StampAxis& axis)
{
    trace::CopyRecord record = copyOf(activity, axis);
    record.copyCount = activity.copyCount;
    return record;
}

trace::CopyRecord recordOf(const PeerCopyActivity& activity, const StampAxis& axis)
{
    trace::CopyRecord record = copyOf(activity, axis);
    record.sourceDeviceId = activity.srcDeviceId;
    record.destinationDeviceId = activity.dstDeviceId;
    return record;
}

trace::MemsetRecord recordOf(const MemsetActivity& activity, const StampAxis& axis)
{
    trace::MemsetRecord record;
    setSpan(record, activity, axis);
    setPlace(record, activity);
    record.bytes = recordBytes(activity.bytes);
    record.value = activity.value;
    record.memoryKind = activity.memoryKind;
    record.graphNodeId = activity.graphNodeId;
    record.isAsync = (activity.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0;
    return record;
}

trace::KernelRecord recordOf(const KernelActivity& activity, const StampAxis& axis)
{
    trace::KernelRecord record;
    setSpan(record, activity, axis);
    setPlace(record, activity);
    record.gridId = activity.gridId;
    record.gridX = activity.gridX;
    record.gridY = activity.gridY;
    record.gridZ = activity.gridZ;
    record.blockX = activity.blockX;
    record.blockY = activity.blockY;
    record.blockZ = activity.blockZ;
    record.registersPerThread = activity.registersPerThread;
    record.staticSharedBytes = activity.staticSharedMemory;
    record.dynamicSharedBytes = activity.dynamicSharedMemory;
    record.executedSharedBytes = activity.sharedMemoryExecuted;
    record.localBytesPerThread = activity.localMemoryPerThread;
    record.localBytes = recordBytes(activity.localMemoryTotal_v2);
    record.launchType = activity.launchType;
    record.graphNodeId = activity.graphNodeId;
    record.name = textOf(activity.name);
    return record;
}

trace::ApiRecord recordOf(const ApiActivity& activity, const StampAxis& axis)
{
    trace::ApiRecord record;
    setSpan(record, activity, axis);
    record.isDriver = activity.kind == CUPTI_ACTIVITY_KIND_DRIVER;
    record.callbackId = activity.cbid;
    record.processId = activity.processId;
    record.threadId = activity.threadId;
    record.correlationId = activity.correlationId;
    record.returnValue = activity.returnValue;
    return record;
}

trace::OverheadRecord recordOf(const OverheadActivity& activity, const StampAxis& axis)
{
    trace::OverheadRecord record;
    setSpan(record, activity, axis);
    setThread(record, activity);
    record.kind = activity.overheadKind;
    record.correlationId = activity.correlationId;
    return record;
}

trace::MarkerRecord recordOf(const MarkerActivity& activity, const StampAxis& axis)
{
    trace::MarkerRecord record;
    setThread(record, activity);
    record.beginNs = axis.timeNs(activity.timestamp);
    record.id = activity.id;
    record.isMark = (activity.flags & CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS) != 0;
    record.name = textOf(activity.name);
    record.domain = textOf(activity.domain);
    return record;
}

} // namespace headroom::collectors::cupti
