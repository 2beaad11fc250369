// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/runtime/Driver.h"
#include "profiling/rehearsal/streams/Streams.h"

#include <cstdint>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <utility>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

void* pointer(CUdeviceptr address)
{
    return reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr)
}

int fillWith(CUdeviceptr destination, std::size_t pitch, std::uint32_t value, std::size_t valueBytes, std::size_t width,
    std::size_t height, CUstream stream)
{
    if (width * height == 0)
        return cudaSuccess;
    Work work;
    work.kind = Work::Kind::Fill;
    work.fill.destination = pointer(destination);
    work.fill.pitch = pitch;
    work.fill.value = value;
    work.fill.valueBytes = valueBytes;
    work.fill.width = width * valueBytes;
    work.fill.height = height;
    return put(stream, std::move(work));
}

void* side(CUmemorytype type, const void* host, CUdeviceptr device)
{
    return type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : pointer(device);
}

/// Copies with arrays are refused: nobody can make one here.
bool isOfArrays(CUmemorytype source, CUmemorytype destination)
{
    return source == CU_MEMORYTYPE_ARRAY || destination == CU_MEMORYTYPE_ARRAY;
}

} // namespace

extern "C" {

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, std::size_t ByteCount)
{
    return driver(cudaMemcpy(pointer(dst), pointer(src), ByteCount, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, std::size_t ByteCount, CUstream hStream)
{
    return driver(cudaMemcpyAsync(pointer(dst), pointer(src), ByteCount, cudaMemcpyDefault, hStream));
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void* src, std::size_t ByteCount)
{
    return driver(cudaMemcpy(pointer(dst), src, ByteCount, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH_v2(void* dst, CUdeviceptr src, std::size_t ByteCount)
{
    return driver(cudaMemcpy(dst, pointer(src), ByteCount, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, std::size_t ByteCount)
{
    return driver(cudaMemcpy(pointer(dst), pointer(src), ByteCount, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void* src, std::size_t ByteCount, CUstream hStream)
{
    return driver(cudaMemcpyAsync(pointer(dst), src, ByteCount, cudaMemcpyHostToDevice, hStream));
}

CUresult cuMemcpyDtoHAsync_v2(void* dst, CUdeviceptr src, std::size_t ByteCount, CUstream hStream)
{
    return driver(cudaMemcpyAsync(dst, pointer(src), ByteCount, cudaMemcpyDeviceToHost, hStream));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, std::size_t ByteCount, CUstream hStream)
{
    return driver(cudaMemcpyAsync(pointer(dst), pointer(src), ByteCount, cudaMemcpyDeviceToDevice, hStream));
}

CUresult cuMemcpyPeer(
    CUdeviceptr dst, CUcontext /*dstContext*/, CUdeviceptr src, CUcontext /*srcContext*/, std::size_t ByteCount)
{
    return driver(cudaMemcpyPeer(pointer(dst), 0, pointer(src), 0, ByteCount));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext /*dstContext*/, CUdeviceptr src, CUcontext /*srcContext*/,
    std::size_t ByteCount, CUstream hStream)
{
    return driver(cudaMemcpyPeerAsync(pointer(dst), 0, pointer(src), 0, ByteCount, hStream));
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream hStream)
{
    if (copy == nullptr || isOfArrays(copy->srcMemoryType, copy->dstMemoryType))
        return CUDA_ERROR_INVALID_VALUE;
    char* destination = static_cast<char*>(side(copy->dstMemoryType, copy->dstHost, copy->dstDevice))
        + copy->dstY * copy->dstPitch + copy->dstXInBytes;
    const char* source = static_cast<char*>(side(copy->srcMemoryType, copy->srcHost, copy->srcDevice))
        + copy->srcY * copy->srcPitch + copy->srcXInBytes;
    return driver(cudaMemcpy2DAsync(destination, copy->dstPitch, source, copy->srcPitch, copy->WidthInBytes,
        copy->Height, cudaMemcpyDefault, hStream));
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy)
{
    const CUresult status = cuMemcpy2DAsync_v2(copy, nullptr);
    return status != CUDA_SUCCESS ? status : driver(synchronizeStream(nullptr));
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy)
{
    return cuMemcpy2D_v2(copy);
}

CUresult cuMemsetD8_v2(CUdeviceptr dst, unsigned char uc, std::size_t N)
{
    return driver(fillWith(dst, N, uc, 1, N, 1, nullptr));
}

CUresult cuMemsetD16_v2(CUdeviceptr dst, unsigned short us, std::size_t N)
{
    return driver(fillWith(dst, N, us, 2, N, 1, nullptr));
}

CUresult cuMemsetD32_v2(CUdeviceptr dst, unsigned ui, std::size_t N)
{
    return driver(fillWith(dst, N, ui, 4, N, 1, nullptr));
}

CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char uc, std::size_t N, CUstream hStream)
{
    return driver(fillWith(dst, N, uc, 1, N, 1, hStream));
}

CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short us, std::size_t N, CUstream hStream)
{
    return driver(fillWith(dst, N, us, 2, N, 1, hStream));
}

CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned ui, std::size_t N, CUstream hStream)
{
    return driver(fillWith(dst, N, ui, 4, N, 1, hStream));
}

CUresult cuMemsetD2D8_v2(CUdeviceptr dst, std::size_t pitch, unsigned char uc, std::size_t Width, std::size_t Height)
{
    return driver(fillWith(dst, pitch, uc, 1, Width, Height, nullptr));
}

CUresult cuMemsetD2D16_v2(CUdeviceptr dst, std::size_t pitch, unsigned short us, std::size_t Width, std::size_t Height)
{
    return driver(fillWith(dst, pitch, us, 2, Width, Height, nullptr));
}

CUresult cuMemsetD2D32_v2(CUdeviceptr dst, std::size_t pitch, unsigned ui, std::size_t Width, std::size_t Height)
{
    return driver(fillWith(dst, pitch, ui, 4, Width, Height, nullptr));
}

CUresult cuMemsetD2D8Async(
    CUdeviceptr dst, std::size_t pitch, unsigned char uc, std::size_t Width, std::size_t Height, CUstream hStream)
{
    return driver(fillWith(dst, pitch, uc, 1, Width, Height, hStream));
}

CUresult cuMemsetD2D16Async(
    CUdeviceptr dst, std::size_t pitch, unsigned short us, std::size_t Width, std::size_t Height, CUstream hStream)
{
    return driver(fillWith(dst, pitch, us, 2, Width, Height, hStream));
}

CUresult cuMemsetD2D32Async(
    CUdeviceptr dst, std::size_t pitch, unsigned ui, std::size_t Width, std::size_t Height, CUstream hStream)
{
    return driver(fillWith(dst, pitch, ui, 4, Width, Height, hStream));
}

} // extern "C"
