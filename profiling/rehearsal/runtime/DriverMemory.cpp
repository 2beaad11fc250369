// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Contexts.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/memory/DeviceMemory.h"
#include "profiling/rehearsal/memory/Memory.h"
#include "profiling/rehearsal/memory/VirtualMemory.h"
#include "profiling/rehearsal/runtime/Driver.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

void* pointer(CUdeviceptr address)
{
    return reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr)
}

CUmemorytype driverType(MemoryKind kind)
{
    return kind == MemoryKind::Device || kind == MemoryKind::Managed ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

template <typename Value> CUresult answer(void* data, Value value)
{
    *static_cast<Value*>(data) = value;
    return CUDA_SUCCESS;
}

CUresult attributeOf(const MemoryRange& range, CUdeviceptr address, CUpointer_attribute attribute, void* data)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        return answer(data, reinterpret_cast<CUcontext>(primaryContext(range.device)));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return answer(data, static_cast<unsigned>(driverType(range.kind)));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return answer(data, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (range.kind == MemoryKind::Device)
            return CUDA_ERROR_INVALID_VALUE;
        return answer(data, pointer(address));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        return answer(data, 0U);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        return answer(data, static_cast<unsigned long long>(range.id));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        return answer(data, static_cast<unsigned>(range.kind == MemoryKind::Managed));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return answer(data, range.device);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        return answer(data, 0U);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return answer(data, pointer(range.begin));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return answer(data, range.askedBytes);
    case CU_POINTER_ATTRIBUTE_MAPPED:
        return answer(data, 1U);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        return answer(data, std::uint64_t{0});
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        return answer(data, 0U);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        return answer(data, static_cast<unsigned>(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        return answer(data, range.origin == MemoryOrigin::Pool ? static_cast<CUmemoryPool>(range.owner) : nullptr);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/// Physical memory of a device that is not shared with other processes; all else is not rehearsed.
int checkProperties(const CUmemAllocationProp* prop)
{
    if (prop == nullptr || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return cudaErrorInvalidValue;
    if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return cudaErrorNotSupported;
    return prop->location.id < 0 || prop->location.id >= deviceCount() ? cudaErrorInvalidDevice : cudaSuccess;
}

} // namespace

extern "C" {

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total)
{
    return driver(cudaMemGetInfo(free, total));
}

CUresult cuMemAlloc_v2(CUdeviceptr* dptr, std::size_t bytesize)
{
    if (bytesize == 0)
        return CUDA_ERROR_INVALID_VALUE;
    return driver(cudaMalloc(reinterpret_cast<void**>(dptr), bytesize));
}

CUresult cuMemAllocPitch_v2(
    CUdeviceptr* dptr, std::size_t* pitch, std::size_t widthInBytes, std::size_t height, unsigned /*elementSizeBytes*/)
{
    return driver(cudaMallocPitch(reinterpret_cast<void**>(dptr), pitch, widthInBytes, height));
}

CUresult cuMemFree_v2(CUdeviceptr dptr)
{
    return driver(cudaFree(pointer(dptr)));
}

CUresult cuMemAllocHost_v2(void** pp, std::size_t bytesize)
{
    return driver(cudaMallocHost(pp, bytesize));
}

CUresult cuMemHostAlloc(void** pp, std::size_t bytesize, unsigned flags)
{
    return driver(cudaHostAlloc(pp, bytesize, flags));
}

CUresult cuMemFreeHost(void* p)
{
    return driver(cudaFreeHost(p));
}

CUresult cuMemAllocManaged(CUdeviceptr* dptr, std::size_t bytesize, unsigned flags)
{
    return driver(cudaMallocManaged(reinterpret_cast<void**>(dptr), bytesize, flags));
}

CUresult cuMemHostRegister_v2(void* p, std::size_t bytesize, unsigned flags)
{
    return driver(cudaHostRegister(p, bytesize, flags));
}

CUresult cuMemHostUnregister(void* p)
{
    return driver(cudaHostUnregister(p));
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p, unsigned flags)
{
    return driver(cudaHostGetDevicePointer(reinterpret_cast<void**>(pdptr), p, flags));
}

CUresult cuMemHostGetFlags(unsigned* flags, void* p)
{
    return driver(cudaHostGetFlags(flags, p));
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, std::size_t* size, CUdeviceptr dptr)
{
    const MemoryRange range = rangeAround(pointer(dptr));
    if (range.kind == MemoryKind::Unregistered)
        return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr)
        *base = range.begin;
    if (size != nullptr)
        *size = range.askedBytes;
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    const MemoryRange range = rangeAround(pointer(ptr));
    if (data == nullptr || range.kind == MemoryKind::Unregistered)
        return CUDA_ERROR_INVALID_VALUE;
    return attributeOf(range, ptr, attribute, data);
}

/// For an address that nobody knows it answers zeros, where the call for one attribute is an error.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data, CUdeviceptr ptr)
{
    if (attributes == nullptr || data == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    const MemoryRange range = rangeAround(pointer(ptr));
    for (unsigned i = 0; i < count; ++i) {
        if (range.kind != MemoryKind::Unregistered)
            attributeOf(range, ptr, attributes[i], data[i]);
        else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            answer(data[i], CU_DEVICE_INVALID);
        else if (attributes[i] == CU_POINTER_ATTRIBUTE_CONTEXT || attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER)
            answer(data[i], std::uint64_t{0});
        else
            answer(data[i], 0U);
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void* /*value*/, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    const bool isKnown = rangeAround(pointer(ptr)).kind != MemoryKind::Unregistered;
    return isKnown && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAllocationGranularity(
    std::size_t* granularity, const CUmemAllocationProp* prop, CUmemAllocationGranularity_flags /*option*/)
{
    if (granularity == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *granularity = kSegmentBytes;
    return driver(checkProperties(prop));
}

CUresult cuMemAddressReserve(
    CUdeviceptr* ptr, std::size_t size, std::size_t alignment, CUdeviceptr addr, unsigned long long flags)
{
    const struct {
        CUdeviceptr* ptr;
        std::size_t size;
        std::size_t alignment;
        CUdeviceptr addr;
        unsigned long long flags;
    } parameters{ptr, size, alignment, addr, flags};
    return observedDriver("cuMemAddressReserve", parameters, [&] {
        return ptr == nullptr ? static_cast<int>(cudaErrorInvalidValue)
                              : reserveAddresses(currentDevice(), size, reinterpret_cast<std::uintptr_t*>(ptr));
    });
}

CUresult cuMemAddressFree(CUdeviceptr ptr, std::size_t size)
{
    return driver(freeAddresses(ptr, size));
}

CUresult cuMemCreate(
    CUmemGenericAllocationHandle* handle, std::size_t size, const CUmemAllocationProp* prop, unsigned long long flags)
{
    const struct {
        CUmemGenericAllocationHandle* handle;
        std::size_t size;
        const CUmemAllocationProp* prop;
        unsigned long long flags;
    } parameters{handle, size, prop, flags};
    return observedDriver("cuMemCreate", parameters, [&] {
        const int status = checkProperties(prop);
        static_assert(sizeof *handle == sizeof(std::uint64_t));
        return status != cudaSuccess ? status
                                     : makePhysical(prop->location.id, size, reinterpret_cast<std::uint64_t*>(handle));
    });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    const struct {
        CUmemGenericAllocationHandle handle;
    } parameters{handle};
    return observedDriver("cuMemRelease", parameters, [&] { return releasePhysical(handle); });
}

CUresult cuMemMap(CUdeviceptr ptr, std::size_t size, std::size_t offset, CUmemGenericAllocationHandle handle,
    unsigned long long flags)
{
    const struct {
        CUdeviceptr ptr;
        std::size_t size;
        std::size_t offset;
        CUmemGenericAllocationHandle handle;
        unsigned long long flags;
    } parameters{ptr, size, offset, handle, flags};
    return observedDriver("cuMemMap", parameters, [&] { return mapPhysical(ptr, size, offset, handle); });
}

CUresult cuMemUnmap(CUdeviceptr ptr, std::size_t size)
{
    const struct {
        CUdeviceptr ptr;
        std::size_t size;
    } parameters{ptr, size};
    return observedDriver("cuMemUnmap", parameters, [&] { return unmapPhysical(ptr, size); });
}

CUresult cuMemSetAccess(CUdeviceptr ptr, std::size_t /*size*/, const CUmemAccessDesc* desc, std::size_t count)
{
    if (desc == nullptr || count == 0 || rangeAround(pointer(ptr)).origin != MemoryOrigin::Mapping)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr ptr)
{
    if (flags == nullptr || location == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    const MemoryRange range = rangeAround(pointer(ptr));
    const bool isOwn = range.kind == MemoryKind::Device && location->type == CU_MEM_LOCATION_TYPE_DEVICE
        && location->id == range.device;
    *flags = isOwn ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* addr)
{
    if (handle == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    return driver(physicalOf(addr, reinterpret_cast<std::uint64_t*>(handle)));
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop, CUmemGenericAllocationHandle handle)
{
    const int device = deviceOfPhysical(handle);
    if (prop == nullptr || device < 0)
        return CUDA_ERROR_INVALID_VALUE;
    *prop = {};
    prop->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop->location.id = device;
    return CUDA_SUCCESS;
}

} // extern "C"
