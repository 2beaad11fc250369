// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/Pools.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Clock.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/memory/MemoryMap.h"
#include "profiling/rehearsal/streams/Pool.h"
#include "profiling/rehearsal/streams/Streams.h"

#include <algorithm>
#include <unordered_set>

namespace headroom::rehearsal {

namespace {

struct PoolTable {
    Pool* defaults[kMostDevices] = {};
    Pool* currents[kMostDevices] = {};
    std::unordered_set<Pool*> all;

    Pool* add(int device, std::size_t mostBytes)
    {
        auto* pool = new Pool;
        pool->device = device;
        pool->mostBytes = mostBytes;
        all.insert(pool);
        return pool;
    }

    Pool* defaultOf(int device)
    {
        if (defaults[device] == nullptr) {
            defaults[device] = currents[device] = add(device, 0);
            defaults[device]->isDefault = true;
        }
        return defaults[device];
    }
};

constinit Lock poolsLock;

PoolTable& pools()
{
    static auto& table = *new PoolTable;
    return table;
}

void tellPool(const Pool& pool, PoolChange::Kind kind)
{
    if (Observer* looking = observer())
        looking->changed(PoolChange{kind, pool.device, &pool, pool.reserved.current, pool.used.current,
            pool.releaseThreshold, nowNs(), currentCorrelation()});
}

MemoryRange partRange(const Pool& pool, std::uintptr_t address, std::size_t bytes, std::size_t asked)
{
    MemoryRange range;
    range.kind = MemoryKind::Device;
    range.device = pool.device;
    range.begin = address;
    range.bytes = bytes;
    range.askedBytes = asked;
    range.origin = MemoryOrigin::Pool;
    range.owner = const_cast<Pool*>(&pool);
    return range;
}

/// Graphs with memory of their own are not rehearsed.
int refuseInCapture(const Stream& stream, const char* function)
{
    if (stream.capture == nullptr)
        return cudaSuccess;
    noteRefused(function);
    return cudaErrorNotSupported;
}

int allocateLocked(Pool& pool, std::size_t bytes, cudaStream_t handle, MemoryRange& range, std::uint32_t& streamId)
{
    const LockScope scope(streamsLock());
    Stream* stream = streamOf(handle);
    if (stream == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (const int status = refuseInCapture(*stream, "cudaMallocAsync while capturing"); status != cudaSuccess)
        return status;
    const std::size_t whole = Pool::partBytes(bytes);
    const std::uintptr_t address = pool.take(whole, *stream);
    if (address == 0)
        return cudaErrorMemoryAllocation;
    range = partRange(pool, address, whole, bytes);
    streamId = stream->id;
    return cudaSuccess;
}

} // namespace

Pool* defaultPool(int device)
{
    const LockScope scope(poolsLock);
    return pools().defaultOf(device);
}

Pool* currentPool(int device)
{
    const LockScope scope(poolsLock);
    pools().defaultOf(device);
    return pools().currents[device];
}

int setCurrentPool(int device, Pool* pool)
{
    const LockScope scope(poolsLock);
    pools().defaultOf(device);
    if (!pools().all.contains(pool) || pool->device != device)
        return cudaErrorInvalidValue;
    pools().currents[device] = pool;
    return cudaSuccess;
}

int makePool(int device, std::size_t mostBytes, Pool** pool)
{
    if (const int status = openDevice(device); status != cudaSuccess)
        return status;
    {
        const LockScope scope(poolsLock);
        *pool = pools().add(device, mostBytes);
    }
    tellPool(**pool, PoolChange::Kind::Created);
    return cudaSuccess;
}

int destroyPool(Pool* pool)
{
    {
        const LockScope scope(poolsLock);
        if (!pools().all.contains(pool) || pool->isDefault)
            return cudaErrorInvalidValue;
        pool->trim(0);
        // What is still in use keeps the pool until it is freed; it is no longer anybody's current one.
        if (pools().currents[pool->device] == pool)
            pools().currents[pool->device] = pools().defaultOf(pool->device);
        pools().all.erase(pool);
    }
    tellPool(*pool, PoolChange::Kind::Destroyed);
    return cudaSuccess;
}

int deviceOfPool(Pool* pool, int* device)
{
    const LockScope scope(poolsLock);
    if (!pools().all.contains(pool))
        return cudaErrorInvalidValue;
    *device = pool->device;
    return cudaSuccess;
}

int allocateFromPool(Pool* pool, std::size_t bytes, cudaStream_t stream, void** address)
{
    if (address == nullptr)
        return cudaErrorInvalidValue;
    *address = nullptr;
    if (const int status = openDevice(currentDevice()); status != cudaSuccess || bytes == 0)
        return status;
    if (pool == nullptr)
        pool = currentPool(currentDevice());
    MemoryRange range;
    std::uint32_t streamId = 0;
    {
        const LockScope scope(poolsLock);
        if (!pools().all.contains(pool))
            return cudaErrorInvalidValue;
        if (const int status = allocateLocked(*pool, bytes, stream, range, streamId); status != cudaSuccess)
            return status;
        addRange(range);
    }
    tellMemory(true, range, streamId);
    *address = reinterpret_cast<void*>(range.begin); // NOLINT(performance-no-int-to-ptr)
    return cudaSuccess;
}

int freeToPool(void* address, cudaStream_t handle)
{
    if (address == nullptr)
        return cudaSuccess;
    MemoryRange range;
    std::uint32_t streamId = 0;
    {
        const LockScope scope(poolsLock);
        const LockScope streams(streamsLock());
        const Stream* stream = streamOf(handle);
        if (stream == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (const int status = refuseInCapture(*stream, "cudaFreeAsync while capturing"); status != cudaSuccess)
            return status;
        forgetValues(address, rangeAround(address).bytes);
        range = removeRange(reinterpret_cast<std::uintptr_t>(address), MemoryKind::Device, MemoryOrigin::Pool);
        if (range.kind == MemoryKind::Unregistered)
            return cudaErrorInvalidValue;
        static_cast<Pool*>(range.owner)->giveBack(range.begin, *stream);
        streamId = stream->id;
    }
    tellMemory(false, range, streamId);
    return cudaSuccess;
}

int trimPool(Pool* pool, std::size_t keptBytes)
{
    {
        const LockScope scope(poolsLock);
        if (!pools().all.contains(pool))
            return cudaErrorInvalidValue;
        pool->trim(keptBytes);
    }
    tellPool(*pool, PoolChange::Kind::Trimmed);
    return cudaSuccess;
}

int poolAttribute(Pool* pool, cudaMemPoolAttr attribute, void* value)
{
    const LockScope scope(poolsLock);
    if (!pools().all.contains(pool) || value == nullptr)
        return cudaErrorInvalidValue;
    const auto setNumber = [&](std::uint64_t number) { *static_cast<std::uint64_t*>(value) = number; };
    const auto setFlag = [&](int flag) { *static_cast<int*>(value) = flag; };
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
        setFlag(pool->followsEvents);
        break;
    case cudaMemPoolReuseAllowOpportunistic:
        setFlag(pool->isOpportunistic);
        break;
    case cudaMemPoolReuseAllowInternalDependencies:
        setFlag(pool->addsDependencies);
        break;
    case cudaMemPoolAttrReleaseThreshold:
        setNumber(pool->releaseThreshold);
        break;
    case cudaMemPoolAttrReservedMemCurrent:
        setNumber(pool->reserved.current);
        break;
    case cudaMemPoolAttrReservedMemHigh:
        setNumber(pool->reserved.high);
        break;
    case cudaMemPoolAttrUsedMemCurrent:
        setNumber(pool->used.current);
        break;
    case cudaMemPoolAttrUsedMemHigh:
        setNumber(pool->used.high);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

int setPoolAttribute(Pool* pool, cudaMemPoolAttr attribute, const void* value)
{
    const LockScope scope(poolsLock);
    if (!pools().all.contains(pool) || value == nullptr)
        return cudaErrorInvalidValue;
    const auto number = [&] { return *static_cast<const std::uint64_t*>(value); };
    const auto flag = [&] { return *static_cast<const int*>(value); };
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
        pool->followsEvents = flag();
        break;
    case cudaMemPoolReuseAllowOpportunistic:
        pool->isOpportunistic = flag();
        break;
    case cudaMemPoolReuseAllowInternalDependencies:
        pool->addsDependencies = flag();
        break;
    case cudaMemPoolAttrReleaseThreshold:
        pool->releaseThreshold = number();
        break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: {
        // Only a reset is allowed.
        if (number() != 0)
            return cudaErrorInvalidValue;
        PoolAmount& amount = attribute == cudaMemPoolAttrReservedMemHigh ? pool->reserved : pool->used;
        amount.high = amount.current;
        break;
    }
    default:
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

void releaseUnused(int device)
{
    const LockScope scope(poolsLock);
    for (Pool* pool : pools().all) {
        if (pool->device == device)
            pool->trim(pool->releaseThreshold);
    }
}

} // namespace headroom::rehearsal
