// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/DeviceAttributes.h"

#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <driver_types.h>

namespace headroom::rehearsal {

namespace {

struct Attribute {
    std::int16_t number;
    int value;
};

/// CUDA C++ Programming Guide, technical specifications per compute capability, 7.0 and newer.
constexpr Attribute kOfAllCards[] = {
    {cudaDevAttrMaxThreadsPerBlock, 1024},
    {cudaDevAttrMaxBlockDimX, 1024},
    {cudaDevAttrMaxBlockDimY, 1024},
    {cudaDevAttrMaxBlockDimZ, 64},
    {cudaDevAttrMaxGridDimX, INT_MAX},
    {cudaDevAttrMaxGridDimY, 65535},
    {cudaDevAttrMaxGridDimZ, 65535},
    {cudaDevAttrTotalConstantMemory, 65536},
    {cudaDevAttrMaxPitch, INT_MAX},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrSurfaceAlignment, 512},
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {cudaDevAttrMaxTextureCubemapWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxSurface1DWidth, 32768},
    {cudaDevAttrMaxSurface2DWidth, 131072},
    {cudaDevAttrMaxSurface2DHeight, 65536},
    {cudaDevAttrMaxSurface3DWidth, 16384},
    {cudaDevAttrMaxSurface3DHeight, 16384},
    {cudaDevAttrMaxSurface3DDepth, 16384},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxTexture1DLinearWidth, 1 << 28},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    {cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    {cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrAsyncEngineCount, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {102, 1}, // virtual memory management
    {cudaDevAttrMaxAccessPolicyWindowSize, 0},
    {cudaDevAttrMemSyncDomainCount, 1},
    {cudaDevAttrHostNumaId, -1},
    {cudaDevAttrNumaId, -1},
};

/// What cards of this process do not offer: 0.
constexpr std::int16_t kNotOffered[] = {cudaDevAttrKernelExecTimeout, cudaDevAttrIntegrated, cudaDevAttrComputeMode,
    cudaDevAttrEccEnabled, cudaDevAttrTccDriver, cudaDevAttrIsMultiGpuBoard, cudaDevAttrMultiGpuBoardGroupID,
    cudaDevAttrHostNativeAtomicSupported, cudaDevAttrPageableMemoryAccess, 92, 93, 94, 96,
    cudaDevAttrCanFlushRemoteWrites, cudaDevAttrPageableMemoryAccessUsesHostPageTables,
    cudaDevAttrDirectManagedMemAccessFromHost, 103, 104, 105, 107, cudaDevAttrMaxPersistingL2CacheSize, 110,
    cudaDevAttrSparseCudaArraySupported, cudaDevAttrHostRegisterReadOnlySupported,
    cudaDevAttrTimelineSemaphoreInteropSupported, cudaDevAttrGPUDirectRDMASupported,
    cudaDevAttrGPUDirectRDMAFlushWritesOptions, cudaDevAttrGPUDirectRDMAWritesOrdering,
    cudaDevAttrMemoryPoolSupportedHandleTypes, cudaDevAttrDeferredMappingCudaArraySupported, 122, 123, 124,
    cudaDevAttrIpcEventSupport, 127, 128, 129, cudaDevAttrNumaConfig, 132, cudaDevAttrMpsEnabled, 135, 136, 137, 138,
    139, 140, 141, 142, 143, 144, 145, 146, 147, cudaDevAttrPciDeviceId, cudaDevAttrPciDomainId};

constexpr int kHopper = 9;
constexpr int kAmpere = 8;
/// Of each block's shared memory, since capability 8.0.
constexpr int kReservedSharedBytes = 1024;

/// GeForce and workstation cards have few units for double precision; the ratios are those of the programming guide's
/// throughput table.
int singleToDoubleRatio(const Card& described)
{
    const int capability = described.capabilityMajor * 10 + described.capabilityMinor;
    const bool hasManyDoubles = capability == 70 || capability == 80 || capability == 90 || capability == 100;
    return hasManyDoubles ? 2 : capability == 75 ? 32 : 64;
}

bool describedAttribute(int attribute, int device, int& value)
{
    const Card& described = card();
    const auto set = [&](auto number) {
        value = static_cast<int>(number);
        return true;
    };
    switch (attribute) {
    case cudaDevAttrMaxSharedMemoryPerBlock:
        return set(described.sharedBytesPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return set(described.sharedBytesPerBlockOptIn);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return set(described.sharedBytesPerMultiprocessor);
    case cudaDevAttrReservedSharedMemoryPerBlock:
        return set(described.capabilityMajor >= kAmpere ? kReservedSharedBytes : 0);
    case cudaDevAttrWarpSize:
        return set(described.warpSize);
    case cudaDevAttrMaxRegistersPerBlock:
        return set(described.registersPerBlock);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        return set(described.registersPerMultiprocessor);
    case cudaDevAttrClockRate:
        return set(described.clockKilohertz);
    case cudaDevAttrMemoryClockRate:
        return set(described.memoryClockKilohertz);
    case cudaDevAttrMultiProcessorCount:
        return set(described.multiprocessors);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return set(described.threadsPerMultiprocessor);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        return set(described.blocksPerMultiprocessor);
    case cudaDevAttrGlobalMemoryBusWidth:
        return set(described.memoryBusBits);
    case cudaDevAttrL2CacheSize:
        return set(described.l2Bytes);
    case cudaDevAttrComputeCapabilityMajor:
        return set(described.capabilityMajor);
    case cudaDevAttrComputeCapabilityMinor:
        return set(described.capabilityMinor);
    case cudaDevAttrClusterLaunch:
        return set(described.capabilityMajor >= kHopper ? 1 : 0);
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        return set(singleToDoubleRatio(described));
    case cudaDevAttrPciBusId:
        return set(device + 1);
    default:
        return false;
    }
}

} // namespace

int deviceAttribute(int attribute, int device, int* value)
{
    if (value == nullptr)
        return cudaErrorInvalidValue;
    if (device < 0 || device >= deviceCount())
        return cudaErrorInvalidDevice;
    if (describedAttribute(attribute, device, *value))
        return cudaSuccess;
    const auto* fixed = std::find_if(
        std::begin(kOfAllCards), std::end(kOfAllCards), [&](const Attribute& one) { return one.number == attribute; });
    const bool isFixed = fixed != std::end(kOfAllCards);
    if (!isFixed && std::find(std::begin(kNotOffered), std::end(kNotOffered), attribute) == std::end(kNotOffered))
        return cudaErrorInvalidValue;
    *value = isFixed ? fixed->value : 0;
    return cudaSuccess;
}

} // namespace headroom::rehearsal
