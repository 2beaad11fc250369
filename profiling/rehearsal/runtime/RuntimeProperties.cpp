// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/DeviceAttributes.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/runtime/Call.h"

#include <cstdio>
#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

int attributeOf(int device, int attribute)
{
    int value = 0;
    deviceAttribute(attribute, device, &value);
    return value;
}

/// Fills the members of the struct that are attributes; those of CUDA 12 that 13 took away are at the end.
void fillAttributes(cudaDeviceProp& prop, int device)
{
    const auto get = [&](int attribute) { return attributeOf(device, attribute); };
    prop.sharedMemPerBlock = static_cast<std::size_t>(get(cudaDevAttrMaxSharedMemoryPerBlock));
    prop.regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
    prop.warpSize = get(cudaDevAttrWarpSize);
    prop.memPitch = static_cast<std::size_t>(get(cudaDevAttrMaxPitch));
    prop.maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
    for (int i = 0; i < 3; ++i) {
        prop.maxThreadsDim[i] = get(cudaDevAttrMaxBlockDimX + i);
        prop.maxGridSize[i] = get(cudaDevAttrMaxGridDimX + i);
        prop.maxTexture3D[i] = get(cudaDevAttrMaxTexture3DWidth + i);
        prop.maxTexture3DAlt[i] = get(cudaDevAttrMaxTexture3DWidthAlt + i);
        prop.maxTexture2DLinear[i] = get(cudaDevAttrMaxTexture2DLinearWidth + i);
        prop.maxTexture2DLayered[i] = get(cudaDevAttrMaxTexture2DLayeredWidth + i);
        prop.maxSurface3D[i] = get(cudaDevAttrMaxSurface3DWidth + i);
        prop.maxSurface2DLayered[i] = get(cudaDevAttrMaxSurface2DLayeredWidth + i);
    }
    for (int i = 0; i < 2; ++i) {
        prop.maxTexture2D[i] = get(cudaDevAttrMaxTexture2DWidth + i);
        prop.maxTexture2DMipmap[i] = get(cudaDevAttrMaxTexture2DMipmappedWidth + i);
        prop.maxTexture2DGather[i] = get(cudaDevAttrMaxTexture2DGatherWidth + i);
        prop.maxTexture1DLayered[i] = get(cudaDevAttrMaxTexture1DLayeredWidth + i);
        prop.maxTextureCubemapLayered[i] = get(cudaDevAttrMaxTextureCubemapLayeredWidth + i);
        prop.maxSurface2D[i] = get(cudaDevAttrMaxSurface2DWidth + i);
        prop.maxSurface1DLayered[i] = get(cudaDevAttrMaxSurface1DLayeredWidth + i);
        prop.maxSurfaceCubemapLayered[i] = get(cudaDevAttrMaxSurfaceCubemapLayeredWidth + i);
    }
    prop.maxTexture1D = get(cudaDevAttrMaxTexture1DWidth);
    prop.maxTexture1DMipmap = get(cudaDevAttrMaxTexture1DMipmappedWidth);
    prop.maxTextureCubemap = get(cudaDevAttrMaxTextureCubemapWidth);
    prop.maxSurface1D = get(cudaDevAttrMaxSurface1DWidth);
    prop.maxSurfaceCubemap = get(cudaDevAttrMaxSurfaceCubemapWidth);
    prop.totalConstMem = static_cast<std::size_t>(get(cudaDevAttrTotalConstantMemory));
    prop.major = get(cudaDevAttrComputeCapabilityMajor);
    prop.minor = get(cudaDevAttrComputeCapabilityMinor);
    prop.textureAlignment = static_cast<std::size_t>(get(cudaDevAttrTextureAlignment));
    prop.texturePitchAlignment = static_cast<std::size_t>(get(cudaDevAttrTexturePitchAlignment));
    prop.surfaceAlignment = static_cast<std::size_t>(get(cudaDevAttrSurfaceAlignment));
    prop.multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
    prop.canMapHostMemory = get(cudaDevAttrCanMapHostMemory);
    prop.concurrentKernels = get(cudaDevAttrConcurrentKernels);
    prop.pciBusID = get(cudaDevAttrPciBusId);
    prop.asyncEngineCount = get(cudaDevAttrAsyncEngineCount);
    prop.unifiedAddressing = get(cudaDevAttrUnifiedAddressing);
    prop.memoryBusWidth = get(cudaDevAttrGlobalMemoryBusWidth);
    prop.l2CacheSize = get(cudaDevAttrL2CacheSize);
    prop.maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
    prop.streamPrioritiesSupported = get(cudaDevAttrStreamPrioritiesSupported);
    prop.globalL1CacheSupported = get(cudaDevAttrGlobalL1CacheSupported);
    prop.localL1CacheSupported = get(cudaDevAttrLocalL1CacheSupported);
    prop.sharedMemPerMultiprocessor = static_cast<std::size_t>(get(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    prop.regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
    prop.managedMemory = get(cudaDevAttrManagedMemory);
    prop.concurrentManagedAccess = get(cudaDevAttrConcurrentManagedAccess);
    prop.computePreemptionSupported = get(cudaDevAttrComputePreemptionSupported);
    prop.canUseHostPointerForRegisteredMem = get(cudaDevAttrCanUseHostPointerForRegisteredMem);
    prop.cooperativeLaunch = get(cudaDevAttrCooperativeLaunch);
    prop.sharedMemPerBlockOptin = static_cast<std::size_t>(get(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    prop.maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
    prop.reservedSharedMemPerBlock = static_cast<std::size_t>(get(cudaDevAttrReservedSharedMemoryPerBlock));
    prop.hostRegisterSupported = get(cudaDevAttrHostRegisterSupported);
    prop.memoryPoolsSupported = get(cudaDevAttrMemoryPoolsSupported);
    prop.clusterLaunch = get(cudaDevAttrClusterLaunch);
    prop.unifiedFunctionPointers = 0;
#if CUDART_VERSION >= 13000
    prop.deviceNumaId = get(cudaDevAttrNumaId);
    prop.hostNumaId = get(cudaDevAttrHostNumaId);
#else
    prop.clockRate = get(cudaDevAttrClockRate);
    prop.memoryClockRate = get(cudaDevAttrMemoryClockRate);
    prop.deviceOverlap = get(cudaDevAttrGpuOverlap);
    prop.maxTexture1DLinear = get(cudaDevAttrMaxTexture1DLinearWidth);
    prop.singleToDoublePrecisionPerfRatio = get(cudaDevAttrSingleToDoublePrecisionPerfRatio);
#endif
}

} // namespace

extern "C" {

#if CUDART_VERSION >= 13000
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device)
#else
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* prop, int device)
#endif
{
    if (prop == nullptr)
        return noted(cudaErrorInvalidValue);
    if (device < 0 || device >= deviceCount())
        return noted(deviceCount() == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice);
    *prop = {};
    std::snprintf(prop->name, sizeof prop->name, "%s", card().name.c_str());
    prop->totalGlobalMem = card().totalBytes;
    deviceUuid(device, reinterpret_cast<unsigned char*>(prop->uuid.bytes));
    fillAttributes(*prop, device);
    return cudaSuccess;
}

} // extern "C"
