// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/memory/DeviceMemory.h"
#include "profiling/rehearsal/memory/HostMemory.h"
#include "profiling/rehearsal/memory/Memory.h"
#include "profiling/rehearsal/runtime/Call.h"
#include "profiling/rehearsal/streams/Captures.h"
#include "profiling/rehearsal/streams/Pools.h"

#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

/// Rows of device memory begin at multiples of this.
constexpr std::size_t kPitch = 512;

/// Calls that may wait for the card are not allowed while a stream captures, unless the thread says otherwise.
template <typename Work> int unlessCapturing(Work work)
{
    const int status = refuseWhileCapturing();
    return status != cudaSuccess ? status : static_cast<int>(work());
}

int freeOnDevice(void* address)
{
    const MemoryRange range = rangeAround(address);
    if (range.origin == MemoryOrigin::Pool)
        return freeToPool(address, nullptr);
    return range.kind == MemoryKind::Managed ? freeManaged(address) : freeDevice(address);
}

cudaMemoryType runtimeType(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Device:
        return cudaMemoryTypeDevice;
    case MemoryKind::Pinned:
    case MemoryKind::Registered:
        return cudaMemoryTypeHost;
    case MemoryKind::Managed:
        return cudaMemoryTypeManaged;
    case MemoryKind::Unregistered:
        break;
    }
    return cudaMemoryTypeUnregistered;
}

bool isPinnedHost(const MemoryRange& range)
{
    return range.kind == MemoryKind::Pinned || range.kind == MemoryKind::Registered;
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void** devPtr, std::size_t size)
{
    const struct {
        void** devPtr;
        std::size_t size;
    } parameters{devPtr, size};
    return observed("cudaMalloc", parameters,
        [&] { return unlessCapturing([&] { return allocateDevice(currentDevice(), size, devPtr); }); });
}

cudaError_t cudaFree(void* devPtr)
{
    const struct {
        void* devPtr;
    } parameters{devPtr};
    return observed("cudaFree", parameters, [&] {
        if (devPtr == nullptr)
            return openDevice(currentDevice());
        return unlessCapturing([&] { return freeOnDevice(devPtr); });
    });
}

cudaError_t cudaMallocPitch(void** devPtr, std::size_t* pitch, std::size_t width, std::size_t height)
{
    const struct {
        void** devPtr;
        std::size_t* pitch;
        std::size_t width;
        std::size_t height;
    } parameters{devPtr, pitch, width, height};
    return observed("cudaMallocPitch", parameters, [&]() -> int {
        if (pitch == nullptr)
            return cudaErrorInvalidValue;
        *pitch = (width + kPitch - 1) / kPitch * kPitch;
        return unlessCapturing([&] { return allocateDevice(currentDevice(), *pitch * height, devPtr); });
    });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent)
{
    const struct {
        cudaPitchedPtr* pitchedDevPtr;
        cudaExtent extent;
    } parameters{pitched, extent};
    return observed("cudaMalloc3D", parameters, [&]() -> int {
        if (pitched == nullptr)
            return cudaErrorInvalidValue;
        pitched->pitch = (extent.width + kPitch - 1) / kPitch * kPitch;
        pitched->xsize = extent.width;
        pitched->ysize = extent.height;
        return unlessCapturing([&] {
            return allocateDevice(currentDevice(), pitched->pitch * extent.height * extent.depth, &pitched->ptr);
        });
    });
}

cudaError_t cudaMallocManaged(void** devPtr, std::size_t size, unsigned flags)
{
    const struct {
        void** devPtr;
        std::size_t size;
        unsigned flags;
    } parameters{devPtr, size, flags};
    return observed("cudaMallocManaged", parameters,
        [&] { return unlessCapturing([&] { return allocateManaged(size, flags, devPtr); }); });
}

cudaError_t cudaMallocHost(void** ptr, std::size_t size)
{
    const struct {
        void** ptr;
        std::size_t size;
    } parameters{ptr, size};
    return observed("cudaMallocHost", parameters,
        [&] { return unlessCapturing([&] { return allocatePinned(size, cudaHostAllocDefault, ptr); }); });
}

cudaError_t cudaHostAlloc(void** pHost, std::size_t size, unsigned flags)
{
    const struct {
        void** pHost;
        std::size_t size;
        unsigned flags;
    } parameters{pHost, size, flags};
    return observed("cudaHostAlloc", parameters,
        [&] { return unlessCapturing([&] { return allocatePinned(size, flags, pHost); }); });
}

cudaError_t cudaFreeHost(void* ptr)
{
    const struct {
        void* ptr;
    } parameters{ptr};
    return observed("cudaFreeHost", parameters, [&] { return unlessCapturing([&] { return freePinned(ptr); }); });
}

cudaError_t cudaHostRegister(void* ptr, std::size_t size, unsigned flags)
{
    return noted(registerHost(ptr, size, flags));
}

cudaError_t cudaHostUnregister(void* ptr)
{
    return noted(unregisterHost(ptr));
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned /*flags*/)
{
    if (device == nullptr || !isPinnedHost(rangeAround(host)))
        return noted(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host)
{
    const MemoryRange range = rangeAround(host);
    if (flags == nullptr || !isPinnedHost(range))
        return noted(cudaErrorInvalidValue);
    *flags = range.flags | cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    if (free == nullptr || total == nullptr)
        return noted(cudaErrorInvalidValue);
    const int device = currentDevice();
    if (const int status = openDevice(device); status != cudaSuccess)
        return noted(status);
    *total = card().totalBytes;
    *free = *total - takenDeviceBytes(device);
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr)
{
    if (attributes == nullptr)
        return noted(cudaErrorInvalidValue);
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return noted(status);
    const MemoryRange range = rangeAround(ptr);
    *attributes = {};
    attributes->type = runtimeType(range.kind);
    const bool isKnown = range.kind != MemoryKind::Unregistered;
    attributes->device = isKnown ? range.device : cudaInvalidDeviceId - 1;
    void* address = const_cast<void*>(ptr);
    attributes->devicePointer = isKnown ? address : nullptr;
    attributes->hostPointer = range.kind == MemoryKind::Device ? nullptr : isKnown ? address : nullptr;
    return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void* devPtr, std::size_t /*count*/, cudaMemLocation /*location*/,
    unsigned /*flags*/, cudaStream_t /*stream*/)
{
    return noted(rangeAround(devPtr).kind == MemoryKind::Managed ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(
    const void* devPtr, std::size_t /*count*/, cudaMemoryAdvise /*advice*/, cudaMemLocation /*location*/)
{
    return noted(rangeAround(devPtr).kind == MemoryKind::Managed ? cudaSuccess : cudaErrorInvalidValue);
}
#else
cudaError_t cudaMemPrefetchAsync(const void* devPtr, std::size_t /*count*/, int /*device*/, cudaStream_t /*stream*/)
{
    return noted(rangeAround(devPtr).kind == MemoryKind::Managed ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync_v2(
    const void* devPtr, std::size_t count, cudaMemLocation /*location*/, unsigned /*flags*/, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(devPtr, count, 0, stream);
}

cudaError_t cudaMemAdvise(const void* devPtr, std::size_t /*count*/, cudaMemoryAdvise /*advice*/, int /*device*/)
{
    return noted(rangeAround(devPtr).kind == MemoryKind::Managed ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise_v2(
    const void* devPtr, std::size_t count, cudaMemoryAdvise advice, cudaMemLocation /*location*/)
{
    return cudaMemAdvise(devPtr, count, advice, 0);
}
#endif

cudaError_t cudaStreamAttachMemAsync(cudaStream_t /*stream*/, void* devPtr, std::size_t /*length*/, unsigned /*flags*/)
{
    return noted(rangeAround(devPtr).kind == MemoryKind::Managed ? cudaSuccess : cudaErrorInvalidValue);
}

} // extern "C"
