// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/runtime/Call.h"
#include "profiling/rehearsal/streams/Pools.h"

#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

Pool* poolOf(cudaMemPool_t handle)
{
    return reinterpret_cast<Pool*>(handle);
}

cudaMemPool_t handleOf(Pool* pool)
{
    return reinterpret_cast<cudaMemPool_t>(pool);
}

int giveDevicePool(cudaMemPool_t* pool, int device, Pool* (*which)(int))
{
    if (pool == nullptr)
        return cudaErrorInvalidValue;
    if (device < 0 || device >= deviceCount())
        return cudaErrorInvalidDevice;
    *pool = handleOf(which(device));
    return cudaSuccess;
}

} // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device)
{
    return noted(giveDevicePool(pool, device, defaultPool));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device)
{
    return noted(giveDevicePool(pool, device, currentPool));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    if (device < 0 || device >= deviceCount())
        return noted(cudaErrorInvalidDevice);
    return noted(setCurrentPool(device, poolOf(pool)));
}

cudaError_t cudaMallocAsync(void** devPtr, std::size_t size, cudaStream_t hStream)
{
    const struct {
        void** devPtr;
        std::size_t size;
        cudaStream_t hStream;
    } parameters{devPtr, size, hStream};
    return observed("cudaMallocAsync", parameters, [&] { return allocateFromPool(nullptr, size, hStream, devPtr); });
}

cudaError_t cudaMallocFromPoolAsync(void** ptr, std::size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    const struct {
        void** ptr;
        std::size_t size;
        cudaMemPool_t memPool;
        cudaStream_t stream;
    } parameters{ptr, size, memPool, stream};
    return observed(
        "cudaMallocFromPoolAsync", parameters, [&] { return allocateFromPool(poolOf(memPool), size, stream, ptr); });
}

cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t hStream)
{
    const struct {
        void* devPtr;
        cudaStream_t hStream;
    } parameters{devPtr, hStream};
    return observed("cudaFreeAsync", parameters, [&] { return freeToPool(devPtr, hStream); });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool, const cudaMemPoolProps* poolProps)
{
    if (memPool == nullptr || poolProps == nullptr)
        return noted(cudaErrorInvalidValue);
    // Pools of host memory and pools that other processes can open are not rehearsed.
    if (poolProps->allocType != cudaMemAllocationTypePinned || poolProps->location.type != cudaMemLocationTypeDevice)
        return noted(cudaErrorNotSupported);
    if (poolProps->handleTypes != cudaMemHandleTypeNone)
        return noted(cudaErrorNotSupported);
    Pool* pool = nullptr;
    const int status = makePool(poolProps->location.id, poolProps->maxSize, &pool);
    *memPool = handleOf(pool);
    return noted(status);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    return noted(destroyPool(poolOf(memPool)));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, std::size_t minBytesToKeep)
{
    return noted(trimPool(poolOf(memPool), minBytesToKeep));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value)
{
    return noted(poolAttribute(poolOf(memPool), attr, value));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value)
{
    return noted(setPoolAttribute(poolOf(memPool), attr, value));
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t memPool, cudaMemLocation* location)
{
    int device = 0;
    if (flags == nullptr || location == nullptr)
        return noted(cudaErrorInvalidValue);
    if (const int status = deviceOfPool(poolOf(memPool), &device); status != cudaSuccess)
        return noted(status);
    const bool isOwn = location->type == cudaMemLocationTypeDevice && location->id == device;
    *flags = isOwn ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc* descriptions, std::size_t count)
{
    int device = 0;
    if (descriptions == nullptr && count > 0)
        return noted(cudaErrorInvalidValue);
    if (const int status = deviceOfPool(poolOf(memPool), &device); status != cudaSuccess)
        return noted(status);
    for (std::size_t i = 0; i < count; ++i) {
        // No device reaches another's memory.
        if (descriptions[i].location.type != cudaMemLocationTypeDevice || descriptions[i].location.id != device)
            return noted(cudaErrorInvalidDevice);
    }
    return cudaSuccess;
}

} // extern "C"
