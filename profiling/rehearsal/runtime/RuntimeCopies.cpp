// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/Kernels.h"
#include "profiling/rehearsal/runtime/Call.h"
#include "profiling/rehearsal/streams/Captures.h"
#include "profiling/rehearsal/streams/Streams.h"

#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

enum class Waits { Yes, No };

/// A copy that returns when it is done waits for what is before it on its stream.
int putAndWait(cudaStream_t stream, Work work, Waits waits)
{
    if (waits == Waits::No)
        return put(stream, std::move(work));
    if (const int status = refuseWhileCapturing(); status != cudaSuccess)
        return status;
    const int status = put(stream, std::move(work));
    return status != cudaSuccess ? status : synchronizeStream(stream);
}

int copyRows(const CopyWork& rows, cudaMemcpyKind kind, cudaStream_t stream, Waits waits)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (rows.bytes() == 0)
        return cudaSuccess;
    const bool overlapsRows = rows.height > 1 && (rows.width > rows.destinationPitch || rows.width > rows.sourcePitch);
    if (rows.destination == nullptr || rows.source == nullptr)
        return cudaErrorInvalidValue;
    if (overlapsRows)
        return cudaErrorInvalidPitchValue;
    Work work;
    work.kind = Work::Kind::Copy;
    work.copy = rows;
    work.copy.asynchronous = waits == Waits::No;
    return putAndWait(stream, std::move(work), waits);
}

int copyBytes(
    void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, Waits waits)
{
    CopyWork rows;
    rows.destination = destination;
    rows.source = source;
    rows.width = bytes;
    return copyRows(rows, kind, stream, waits);
}

CopyWork rowsOf(
    void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width, std::size_t height)
{
    CopyWork rows;
    rows.destination = dst;
    rows.destinationPitch = dpitch;
    rows.source = src;
    rows.sourcePitch = spitch;
    rows.width = width;
    rows.height = height;
    return rows;
}

/// Where a position in pitched memory is.
char* at(const cudaPitchedPtr& memory, const cudaPos& position)
{
    return static_cast<char*>(memory.ptr) + position.z * memory.pitch * memory.ysize + position.y * memory.pitch
        + position.x;
}

int copyBox(const cudaPitchedPtr& destination, const cudaPos& to, const cudaPitchedPtr& source, const cudaPos& from,
    const cudaExtent& extent, cudaMemcpyKind kind, cudaStream_t stream, Waits waits)
{
    CopyWork rows =
        rowsOf(at(destination, to), destination.pitch, at(source, from), source.pitch, extent.width, extent.height);
    rows.destinationSlice = destination.pitch * destination.ysize;
    rows.sourceSlice = source.pitch * source.ysize;
    rows.depth = extent.depth;
    return copyRows(rows, kind, stream, waits);
}

int copyBox(const cudaMemcpy3DParms* p, cudaStream_t stream, Waits waits)
{
    if (p == nullptr)
        return cudaErrorInvalidValue;
    // Arrays are memory of textures, which nobody can make here.
    if (p->srcArray != nullptr || p->dstArray != nullptr)
        return cudaErrorInvalidResourceHandle;
    return copyBox(p->dstPtr, p->dstPos, p->srcPtr, p->srcPos, p->extent, p->kind, stream, waits);
}

int fillRows(void* destination, std::size_t pitch, int value, std::size_t width, std::size_t height,
    cudaStream_t stream, Waits waits)
{
    if (width * height == 0)
        return cudaSuccess;
    if (destination == nullptr || (height > 1 && width > pitch))
        return cudaErrorInvalidValue;
    Work work;
    work.kind = Work::Kind::Fill;
    work.fill.destination = destination;
    work.fill.pitch = pitch;
    work.fill.value = static_cast<unsigned char>(value);
    work.fill.width = width;
    work.fill.height = height;
    work.fill.asynchronous = waits == Waits::No;
    // The host does not wait for a fill of device memory, not even by the call without a stream.
    return waits == Waits::Yes ? putAndWait(stream, std::move(work), Waits::No) : put(stream, std::move(work));
}

int fillBox(const cudaPitchedPtr& memory, int value, const cudaExtent& extent, cudaStream_t stream, Waits waits)
{
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char* slice = static_cast<char*>(memory.ptr) + z * memory.pitch * memory.ysize;
        if (const int status = fillRows(slice, memory.pitch, value, extent.width, extent.height, stream, waits);
            status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

/// Copies between memory and a variable of the device.
int copySymbol(const void* symbol, std::size_t offset, std::size_t bytes, const void* source, void* destination,
    cudaMemcpyKind kind, cudaStream_t stream, Waits waits)
{
    void* variable = nullptr;
    std::size_t size = 0;
    if (const int status = symbolAddress(symbol, &variable, &size); status != cudaSuccess)
        return status;
    if (offset > size || bytes > size - offset)
        return cudaErrorInvalidValue;
    char* there = static_cast<char*>(variable) + offset;
    return source != nullptr ? copyBytes(there, source, bytes, kind, stream, waits)
                             : copyBytes(destination, there, bytes, kind, stream, waits);
}

} // namespace

extern "C" {

cudaError_t cudaMemcpy(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind)
{
    const struct {
        void* dst;
        const void* src;
        std::size_t count;
        cudaMemcpyKind kind;
    } parameters{dst, src, count, kind};
    return observed("cudaMemcpy", parameters, [&] { return copyBytes(dst, src, count, kind, nullptr, Waits::Yes); });
}

cudaError_t cudaMemcpyAsync(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct {
        void* dst;
        const void* src;
        std::size_t count;
        cudaMemcpyKind kind;
        cudaStream_t stream;
    } parameters{dst, src, count, kind, stream};
    return observed("cudaMemcpyAsync", parameters, [&] { return copyBytes(dst, src, count, kind, stream, Waits::No); });
}

cudaError_t cudaMemcpyPeer(void* dst, int /*dstDevice*/, const void* src, int /*srcDevice*/, std::size_t count)
{
    return noted(copyBytes(dst, src, count, cudaMemcpyDefault, nullptr, Waits::Yes));
}

cudaError_t cudaMemcpyPeerAsync(
    void* dst, int /*dstDevice*/, const void* src, int /*srcDevice*/, std::size_t count, cudaStream_t stream)
{
    return noted(copyBytes(dst, src, count, cudaMemcpyDefault, stream, Waits::No));
}

cudaError_t cudaMemcpy2D(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width,
    std::size_t height, cudaMemcpyKind kind)
{
    return noted(copyRows(rowsOf(dst, dpitch, src, spitch, width, height), kind, nullptr, Waits::Yes));
}

cudaError_t cudaMemcpy2DAsync(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width,
    std::size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct {
        void* dst;
        std::size_t dpitch;
        const void* src;
        std::size_t spitch;
        std::size_t width;
        std::size_t height;
        cudaMemcpyKind kind;
        cudaStream_t stream;
    } parameters{dst, dpitch, src, spitch, width, height, kind, stream};
    return observed("cudaMemcpy2DAsync", parameters,
        [&] { return copyRows(rowsOf(dst, dpitch, src, spitch, width, height), kind, stream, Waits::No); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p)
{
    return noted(copyBox(p, nullptr, Waits::Yes));
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream)
{
    return noted(copyBox(p, stream, Waits::No));
}

cudaError_t cudaMemcpyToSymbol(
    const void* symbol, const void* src, std::size_t count, std::size_t offset, cudaMemcpyKind kind)
{
    return noted(copySymbol(symbol, offset, count, src, nullptr, kind, nullptr, Waits::Yes));
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, std::size_t count, std::size_t offset,
    cudaMemcpyKind kind, cudaStream_t stream)
{
    return noted(copySymbol(symbol, offset, count, src, nullptr, kind, stream, Waits::No));
}

cudaError_t cudaMemcpyFromSymbol(
    void* dst, const void* symbol, std::size_t count, std::size_t offset, cudaMemcpyKind kind)
{
    return noted(copySymbol(symbol, offset, count, nullptr, dst, kind, nullptr, Waits::Yes));
}

cudaError_t cudaMemcpyFromSymbolAsync(
    void* dst, const void* symbol, std::size_t count, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream)
{
    return noted(copySymbol(symbol, offset, count, nullptr, dst, kind, stream, Waits::No));
}

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol)
{
    return noted(devPtr == nullptr ? static_cast<int>(cudaErrorInvalidValue) : symbolAddress(symbol, devPtr, nullptr));
}

cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol)
{
    return noted(size == nullptr ? static_cast<int>(cudaErrorInvalidValue) : symbolAddress(symbol, nullptr, size));
}

cudaError_t cudaMemset(void* devPtr, int value, std::size_t count)
{
    const struct {
        void* devPtr;
        int value;
        std::size_t count;
    } parameters{devPtr, value, count};
    return observed(
        "cudaMemset", parameters, [&] { return fillRows(devPtr, count, value, count, 1, nullptr, Waits::Yes); });
}

cudaError_t cudaMemsetAsync(void* devPtr, int value, std::size_t count, cudaStream_t stream)
{
    const struct {
        void* devPtr;
        int value;
        std::size_t count;
        cudaStream_t stream;
    } parameters{devPtr, value, count, stream};
    return observed(
        "cudaMemsetAsync", parameters, [&] { return fillRows(devPtr, count, value, count, 1, stream, Waits::No); });
}

cudaError_t cudaMemset2D(void* devPtr, std::size_t pitch, int value, std::size_t width, std::size_t height)
{
    return noted(fillRows(devPtr, pitch, value, width, height, nullptr, Waits::Yes));
}

cudaError_t cudaMemset2DAsync(
    void* devPtr, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream)
{
    return noted(fillRows(devPtr, pitch, value, width, height, stream, Waits::No));
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent)
{
    return noted(fillBox(pitchedDevPtr, value, extent, nullptr, Waits::Yes));
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream)
{
    return noted(fillBox(pitchedDevPtr, value, extent, stream, Waits::No));
}

} // extern "C"
