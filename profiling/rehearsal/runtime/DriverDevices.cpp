// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Contexts.h"
#include "profiling/rehearsal/DeviceAttributes.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/ErrorTexts.h"
#include "profiling/rehearsal/kernels/EntryPoints.h"
#include "profiling/rehearsal/runtime/Driver.h"
#include "profiling/rehearsal/streams/Pools.h"
#include "profiling/rehearsal/streams/Streams.h"

#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

Context* contextOf(CUcontext handle)
{
    return reinterpret_cast<Context*>(handle);
}

CUcontext handleOf(Context* context)
{
    return reinterpret_cast<CUcontext>(context);
}

bool isDevice(CUdevice device)
{
    return device >= 0 && device < deviceCount();
}

int currentOr(int status)
{
    return currentContext() == nullptr ? static_cast<int>(cudaErrorDeviceUninitialized) : status;
}

} // namespace

extern "C" {

CUresult cuInit(unsigned flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    return deviceCount() == 0 ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version)
{
    if (version == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text)
{
    if (text == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *text = driverErrorName(error) == nullptr ? nullptr : errorText(error);
    return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** text)
{
    if (text == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *text = driverErrorName(error);
    return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetProcAddress_v2(
    const char* symbol, void** pfn, int cudaVersion, cuuint64_t /*flags*/, CUdriverProcAddressQueryResult* status)
{
    if (symbol == nullptr || pfn == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *pfn = driverEntryPoint(symbol, cudaVersion);
    if (status != nullptr)
        *status = *pfn != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *pfn != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags)
{
    return cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, nullptr);
}

CUresult cuDeviceGet(CUdevice* device, int ordinal)
{
    if (device == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *device = ordinal;
    return isDevice(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int* count)
{
    if (count == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *count = deviceCount();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device)
{
    if (name == nullptr || length <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(device))
        return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", card().name.c_str());
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device)
{
    if (uuid == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(device))
        return CUDA_ERROR_INVALID_DEVICE;
    deviceUuid(device, reinterpret_cast<unsigned char*>(uuid->bytes));
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device)
{
    return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device)
{
    if (bytes == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(device))
        return CUDA_ERROR_INVALID_DEVICE;
    *bytes = card().totalBytes;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device)
{
    return driver(deviceAttribute(attribute, device, value));
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device)
{
    if (const CUresult status = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
        status != CUDA_SUCCESS)
        return status;
    return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device)
{
    return driver(cudaDeviceGetPCIBusId(text, length, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text)
{
    return driver(cudaDeviceGetByPCIBusId(device, text));
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer)
{
    return driver(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice source, CUdevice destination)
{
    return driver(cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), source, destination));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device)
{
    if (context == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    if (const int status = openDevice(device); status != cudaSuccess)
        return driver(status);
    *context = handleOf(primaryContext(device));
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    return isDevice(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    return isDevice(device) ? driver(synchronizeDevice(device)) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned /*flags*/)
{
    return isDevice(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active)
{
    if (flags == nullptr || active == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(device))
        return CUDA_ERROR_INVALID_DEVICE;
    *flags = 0;
    *active = isOpen(device) ? 1 : 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device)
{
    if (context == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    Context* made = nullptr;
    const int status = makeContext(device, flags, &made);
    *context = handleOf(made);
    return driver(status);
}

CUresult cuCtxCreate_v3(
    CUcontext* context, CUexecAffinityParam* /*affinities*/, int count, unsigned flags, CUdevice device)
{
    return count == 0 ? cuCtxCreate_v2(context, flags, device) : CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
}

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned flags, CUdevice device)
{
    return parameters == nullptr ? cuCtxCreate_v2(context, flags, device) : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
    return driver(destroyContext(contextOf(context)));
}

CUresult cuCtxGetCurrent(CUcontext* context)
{
    if (context == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *context = handleOf(currentContext());
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    return driver(setCurrentContext(contextOf(context)));
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    return driver(pushContext(contextOf(context)));
}

CUresult cuCtxPopCurrent_v2(CUcontext* context)
{
    Context* popped = nullptr;
    const int status = popContext(&popped);
    if (context != nullptr)
        *context = handleOf(popped);
    return driver(status);
}

CUresult cuCtxGetDevice(CUdevice* device)
{
    if (device == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *device = currentDevice();
    return driver(currentOr(cudaSuccess));
}

CUresult cuCtxGetFlags(unsigned* flags)
{
    if (flags == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    const Context* context = currentContext();
    *flags = context == nullptr ? 0 : flagsOfContext(context);
    return driver(currentOr(cudaSuccess));
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id)
{
    if (id == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    const Context* asked = context == nullptr ? currentContext() : contextOf(context);
    if (asked == nullptr || !isContext(asked))
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *id = reinterpret_cast<unsigned long long>(asked);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext /*context*/, unsigned* version)
{
    constexpr unsigned kContextVersion = 3020;
    if (version == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *version = kContextVersion;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize()
{
    return driver(currentOr(cudaDeviceSynchronize()));
}

CUresult cuCtxSetLimit(CUlimit limit, std::size_t value)
{
    return driver(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}

CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit)
{
    return driver(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config)
{
    return driver(cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache /*config*/)
{
    return driver(currentOr(cudaSuccess));
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config)
{
    return driver(cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig*>(config)));
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig /*config*/)
{
    return driver(currentOr(cudaSuccess));
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest)
{
    return driver(cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuCtxResetPersistingL2Cache()
{
    return driver(currentOr(cudaSuccess));
}

CUresult cuCtxEnablePeerAccess(CUcontext /*peer*/, unsigned /*flags*/)
{
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuCtxDisablePeerAccess(CUcontext /*peer*/)
{
    return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device)
{
    return driver(cudaDeviceGetDefaultMemPool(pool, device));
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device)
{
    return driver(cudaDeviceGetMemPool(pool, device));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    return driver(cudaDeviceSetMemPool(device, pool));
}

CUresult cuProfilerStart()
{
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop()
{
    return CUDA_SUCCESS;
}

} // extern "C"
