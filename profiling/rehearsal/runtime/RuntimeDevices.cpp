// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Contexts.h"
#include "profiling/rehearsal/DeviceAttributes.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/ErrorTexts.h"
#include "profiling/rehearsal/runtime/Call.h"
#include "profiling/rehearsal/streams/Pools.h"
#include "profiling/rehearsal/streams/Streams.h"

#include <atomic>
#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

/// The limits that a device has, at the values that they have without being set.
std::size_t defaultLimit(cudaLimit limit)
{
    switch (limit) {
    case cudaLimitStackSize:
        return 1024;
    case cudaLimitPrintfFifoSize:
        return 1 << 20;
    case cudaLimitMallocHeapSize:
        return 8 << 20;
    case cudaLimitDevRuntimeSyncDepth:
        return 2;
    case cudaLimitDevRuntimePendingLaunchCount:
        return 2048;
    case cudaLimitMaxL2FetchGranularity:
        return 64;
    default:
        return 0;
    }
}

constinit std::atomic<std::size_t> limits[cudaLimitPersistingL2CacheSize + 1] = {};

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count)
{
    if (count == nullptr)
        return noted(cudaErrorInvalidValue);
    *count = deviceCount();
    return noted(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaGetDevice(int* device)
{
    if (device == nullptr)
        return noted(cudaErrorInvalidValue);
    *device = currentDevice();
    return noted(deviceCount() == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    if (const int status = setCurrentDevice(device); status != cudaSuccess)
        return noted(status);
    // Since CUDA 12 this makes the context.
    return noted(usePrimaryContext(device));
}

cudaError_t cudaInitDevice(int device, unsigned /*deviceFlags*/, unsigned /*flags*/)
{
    return noted(openDevice(device));
}

cudaError_t cudaSetValidDevices(int* devices, int count)
{
    return noted(devices == nullptr || count < 0 ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* /*prop*/)
{
    if (device == nullptr)
        return noted(cudaErrorInvalidValue);
    *device = 0;
    return noted(deviceCount() == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    return noted(deviceAttribute(attribute, device, value));
}

cudaError_t cudaDriverGetVersion(int* version)
{
    if (version == nullptr)
        return noted(cudaErrorInvalidValue);
    // Without a driver there is none.
    *version = hasCard() ? CUDART_VERSION : 0;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    if (version == nullptr)
        return noted(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetLastError()
{
    const cudaError_t last = lastError();
    clearLastError();
    return last;
}

cudaError_t cudaPeekAtLastError()
{
    return lastError();
}

const char* cudaGetErrorString(cudaError_t error)
{
    return errorText(error);
}

const char* cudaGetErrorName(cudaError_t error)
{
    return errorName(error);
}

cudaError_t cudaDeviceSynchronize()
{
    return observed("cudaDeviceSynchronize", 0, [] {
        const int status = synchronizeDevice(currentDevice());
        if (status == cudaSuccess)
            releaseUnused(currentDevice());
        return status;
    });
}

cudaError_t cudaDeviceReset()
{
    // Memory that a process still holds stays held: nothing that is known to have used the card goes on after a reset.
    return noted(synchronizeDevice(currentDevice()));
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit)
{
    if (value == nullptr)
        return noted(cudaErrorInvalidValue);
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
        return noted(cudaErrorUnsupportedLimit);
    const std::size_t set = limits[limit].load();
    *value = set != 0 ? set : defaultLimit(limit);
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value)
{
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
        return noted(cudaErrorUnsupportedLimit);
    limits[limit].store(value);
    return noted(openDevice(currentDevice()));
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config)
{
    if (config == nullptr)
        return noted(cudaErrorInvalidValue);
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache /*config*/)
{
    return noted(openDevice(currentDevice()));
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config)
{
    if (config == nullptr)
        return noted(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig /*config*/)
{
    return noted(openDevice(currentDevice()));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    if (least != nullptr)
        *least = kLeastPriority;
    if (greatest != nullptr)
        *greatest = kGreatestPriority;
    return noted(openDevice(currentDevice()));
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device)
{
    if (text == nullptr || length <= 0)
        return noted(cudaErrorInvalidValue);
    if (device < 0 || device >= deviceCount())
        return noted(cudaErrorInvalidDevice);
    pciBusId(device, text, static_cast<std::size_t>(length));
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text)
{
    if (device == nullptr || text == nullptr)
        return noted(cudaErrorInvalidValue);
    const int found = deviceWithPciBusId(text);
    if (found < 0)
        return noted(cudaErrorInvalidDevice);
    *device = found;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer)
{
    if (can == nullptr)
        return noted(cudaErrorInvalidValue);
    if (device < 0 || peer < 0 || device >= deviceCount() || peer >= deviceCount())
        return noted(cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned /*flags*/)
{
    return noted(peer < 0 || peer >= deviceCount() ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return noted(peer < 0 || peer >= deviceCount() ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr /*attribute*/, int source, int destination)
{
    if (value == nullptr)
        return noted(cudaErrorInvalidValue);
    if (source < 0 || destination < 0 || source >= deviceCount() || destination >= deviceCount()
        || source == destination)
        return noted(cudaErrorInvalidDevice);
    *value = 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned* flags)
{
    if (flags == nullptr)
        return noted(cudaErrorInvalidValue);
    *flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    return noted((flags & ~static_cast<unsigned>(cudaDeviceMask)) != 0 ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache()
{
    return noted(openDevice(currentDevice()));
}

cudaError_t cudaProfilerStart()
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop()
{
    return cudaSuccess;
}

#if CUDART_VERSION < 13000
cudaError_t cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit()
{
    return cudaDeviceReset();
}

cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config)
{
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}
#endif

} // extern "C"
