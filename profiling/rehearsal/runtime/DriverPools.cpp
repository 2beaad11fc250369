// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/runtime/Driver.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

extern "C" {

CUresult cuMemAllocAsync(CUdeviceptr* dptr, std::size_t bytesize, CUstream hStream)
{
    return driver(cudaMallocAsync(reinterpret_cast<void**>(dptr), bytesize, hStream));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, std::size_t bytesize, CUmemoryPool pool, CUstream hStream)
{
    return driver(cudaMallocFromPoolAsync(reinterpret_cast<void**>(dptr), bytesize, pool, hStream));
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
    return driver(cudaFreeAsync(reinterpret_cast<void*>(dptr), hStream));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t minBytesToKeep)
{
    return driver(cudaMemPoolTrimTo(pool, minBytesToKeep));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value)
{
    return driver(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attr), value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value)
{
    return driver(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attr), value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, std::size_t count)
{
    static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
    return driver(cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(map), count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location)
{
    return driver(cudaMemPoolGetAccess(
        reinterpret_cast<cudaMemAccessFlags*>(flags), pool, reinterpret_cast<cudaMemLocation*>(location)));
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps)
{
    static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
    return driver(cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(poolProps)));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    return driver(cudaMemPoolDestroy(pool));
}

} // extern "C"
