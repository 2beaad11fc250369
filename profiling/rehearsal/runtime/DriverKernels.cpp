// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/kernels/FunctionAttributes.h"
#include "profiling/rehearsal/kernels/Kernels.h"
#include "profiling/rehearsal/runtime/Driver.h"

#include <algorithm>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <vector>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

Module* moduleOf(CUmodule handle)
{
    return reinterpret_cast<Module*>(handle);
}

Module* moduleOf(CUlibrary handle)
{
    return reinterpret_cast<Module*>(handle);
}

struct DriverLaunch {
    CUfunction f;
    unsigned gridDimX, gridDimY, gridDimZ;
    unsigned blockDimX, blockDimY, blockDimZ;
    unsigned sharedMemBytes;
    CUstream hStream;
    void** kernelParams;
    void** extra;
};

CUresult launchObserved(const char* function, const DriverLaunch& parameters)
{
    Kernel* kernel = kernelOf(parameters.f);
    const auto work = [&] {
        Launch launch;
        launch.grid = {parameters.gridDimX, parameters.gridDimY, parameters.gridDimZ};
        launch.block = {parameters.blockDimX, parameters.blockDimY, parameters.blockDimZ};
        launch.sharedBytes = parameters.sharedMemBytes;
        launch.arguments = parameters.kernelParams;
        launch.stream = parameters.hStream;
        return launchKernel(kernel, launch);
    };
    return observedDriver(function, parameters, work, kernel == nullptr ? nullptr : kernel->name);
}

/// What a linker was given: nothing is linked, and what it makes is the first of its inputs.
struct Linking {
    std::vector<char> image;
};

int blocksOf(int* blocks, CUfunction function, int blockSize, std::size_t dynamicBytes)
{
    if (blocks == nullptr || blockSize <= 0)
        return cudaErrorInvalidValue;
    if (const int status = requireImage(kernelOf(function)); status != cudaSuccess)
        return status;
    *blocks = activeBlocks(blockSize, dynamicBytes);
    return cudaSuccess;
}

/// A descriptor of a tensor for the copy engine is opaque; kernels that would read it do nothing, so it stays zero.
CUresult encode(CUtensorMap* map, unsigned rank, const void* address)
{
    constexpr unsigned kMostDimensions = 5;
    if (map == nullptr || address == nullptr || rank == 0 || rank > kMostDimensions)
        return CUDA_ERROR_INVALID_VALUE;
    *map = {};
    return CUDA_SUCCESS;
}

} // namespace

extern "C" {

CUresult cuModuleLoadData(CUmodule* module, const void* image)
{
    return driver(loadModule(image, reinterpret_cast<Module**>(module)));
}

CUresult cuModuleLoadDataEx(
    CUmodule* module, const void* image, unsigned /*numOptions*/, CUjit_option* /*options*/, void** /*optionValues*/)
{
    return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin)
{
    return cuModuleLoadData(module, fatCubin);
}

CUresult cuModuleLoad(CUmodule* module, const char* fname)
{
    if (module == nullptr || fname == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    return driver(loadModuleFile(fname, reinterpret_cast<Module**>(module)));
}

CUresult cuModuleUnload(CUmodule hmod)
{
    return driver(unloadModule(moduleOf(hmod)));
}

CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name)
{
    if (hfunc == nullptr || name == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    return driver(kernelByName(moduleOf(hmod), name, reinterpret_cast<Kernel**>(hfunc)));
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* dptr, std::size_t* bytes, CUmodule hmod, const char* name)
{
    return driver(variableByName(moduleOf(hmod), name, reinterpret_cast<void**>(dptr), bytes));
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode)
{
    if (mode == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* /*jitOptions*/,
    void** /*jitOptionsValues*/, unsigned /*numJitOptions*/, CUlibraryOption* /*libraryOptions*/,
    void** /*libraryOptionValues*/, unsigned /*numLibraryOptions*/)
{
    return driver(loadModule(code, reinterpret_cast<Module**>(library)));
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* /*jitOptions*/,
    void** /*jitOptionsValues*/, unsigned /*numJitOptions*/, CUlibraryOption* /*libraryOptions*/,
    void** /*libraryOptionValues*/, unsigned /*numLibraryOptions*/)
{
    if (library == nullptr || fileName == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    return driver(loadModuleFile(fileName, reinterpret_cast<Module**>(library)));
}

CUresult cuLibraryUnload(CUlibrary library)
{
    return driver(unloadModule(moduleOf(library)));
}

CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name)
{
    if (pKernel == nullptr || name == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    return driver(kernelByName(moduleOf(library), name, reinterpret_cast<Kernel**>(pKernel)));
}

CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library)
{
    if (pMod == nullptr || !isModule(moduleOf(library)))
        return CUDA_ERROR_INVALID_VALUE;
    *pMod = reinterpret_cast<CUmodule>(library);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, std::size_t* bytes, CUlibrary library, const char* name)
{
    return driver(variableByName(moduleOf(library), name, reinterpret_cast<void**>(dptr), bytes));
}

CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel)
{
    if (pFunc == nullptr || kernelOf(kernel) == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    *pFunc = reinterpret_cast<CUfunction>(kernel);
    return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char** name, CUkernel kernel)
{
    return driver(cudaFuncGetName(name, kernel));
}

CUresult cuFuncGetName(const char** name, CUfunction function)
{
    return driver(cudaFuncGetName(name, function));
}

CUresult cuFuncGetModule(CUmodule* hmod, CUfunction function)
{
    const Kernel* kernel = kernelOf(function);
    if (hmod == nullptr || kernel == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *hmod = reinterpret_cast<CUmodule>(kernel->module);
    return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function)
{
    return driver(requireImage(kernelOf(function)));
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function)
{
    if (state == nullptr || kernelOf(function) == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function)
{
    return driver(functionAttribute(kernelOf(function), attribute, value));
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    return driver(setFunctionAttribute(kernelOf(function), attribute, value));
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice /*device*/)
{
    return driver(functionAttribute(kernelOf(kernel), attribute, value));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice /*device*/)
{
    return driver(setFunctionAttribute(kernelOf(kernel), attribute, value));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache /*config*/)
{
    return driver(requireImage(kernelOf(function)));
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache /*config*/, CUdevice /*device*/)
{
    return driver(requireImage(kernelOf(kernel)));
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig /*config*/)
{
    return driver(requireImage(kernelOf(function)));
}

CUresult cuLaunchKernel(CUfunction f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX,
    unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, CUstream hStream, void** kernelParams,
    void** extra)
{
    return launchObserved("cuLaunchKernel",
        {f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams,
            extra});
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra)
{
    if (config == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    return launchObserved("cuLaunchKernelEx",
        {f, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX, config->blockDimY,
            config->blockDimZ, config->sharedMemBytes, config->hStream, kernelParams, extra});
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ,
    unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, CUstream hStream,
    void** kernelParams)
{
    return driver(cudaLaunchCooperativeKernel(f, dim3{gridDimX, gridDimY, gridDimZ},
        dim3{blockDimX, blockDimY, blockDimZ}, kernelParams, sharedMemBytes, hStream));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, CUfunction function, int blockSize, std::size_t dynamicBytes)
{
    return driver(blocksOf(blocks, function, blockSize, dynamicBytes));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, CUfunction function, int blockSize, std::size_t dynamicBytes, unsigned /*flags*/)
{
    return driver(blocksOf(blocks, function, blockSize, dynamicBytes));
}

CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction function,
    CUoccupancyB2DSize bytesOf, std::size_t dynamicBytes, int blockSizeLimit)
{
    if (minGridSize == nullptr || blockSize == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    if (const int status = requireImage(kernelOf(function)); status != cudaSuccess)
        return driver(status);
    const int most = blockSizeLimit > 0 ? std::min(blockSizeLimit, kMostThreadsPerBlock) : kMostThreadsPerBlock;
    int bestThreads = 0;
    for (int threads = most / card().warpSize * card().warpSize; threads > 0; threads -= card().warpSize) {
        const int blocks = activeBlocks(threads, bytesOf != nullptr ? bytesOf(threads) : dynamicBytes);
        if (blocks * threads <= bestThreads)
            continue;
        bestThreads = blocks * threads;
        *blockSize = threads;
        *minGridSize = blocks * card().multiprocessors;
    }
    return bestThreads == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction function,
    CUoccupancyB2DSize bytesOf, std::size_t dynamicBytes, int blockSizeLimit, unsigned /*flags*/)
{
    return cuOccupancyMaxPotentialBlockSize(minGridSize, blockSize, function, bytesOf, dynamicBytes, blockSizeLimit);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction function, int blocks, int blockSize)
{
    return driver(cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, blockSize));
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config)
{
    if (clusters == nullptr || config == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    int blocks = 0;
    const int threads = static_cast<int>(config->blockDimX * config->blockDimY * config->blockDimZ);
    const int status = blocksOf(&blocks, function, threads, config->sharedMemBytes);
    unsigned size = 1;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const CUlaunchAttributeValue& value = config->attrs[i].value;
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            size = std::max(1U, value.clusterDim.x * value.clusterDim.y * value.clusterDim.z);
    }
    *clusters = blocks * card().multiprocessors / static_cast<int>(size);
    return driver(status);
}

CUresult cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction function, const CUlaunchConfig* /*config*/)
{
    return driver(cudaOccupancyMaxPotentialClusterSize(clusterSize, function, nullptr));
}

CUresult cuLinkCreate_v2(
    unsigned /*numOptions*/, CUjit_option* /*options*/, void** /*optionValues*/, CUlinkState* stateOut)
{
    if (stateOut == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *stateOut = reinterpret_cast<CUlinkState>(new Linking);
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType /*type*/, void* data, std::size_t size,
    const char* /*name*/, unsigned /*numOptions*/, CUjit_option* /*options*/, void** /*optionValues*/)
{
    if (state == nullptr || data == nullptr || size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    auto& image = reinterpret_cast<Linking*>(state)->image;
    if (image.empty())
        image.assign(static_cast<const char*>(data), static_cast<const char*>(data) + size);
    return CUDA_SUCCESS;
}

CUresult cuLinkComplete(CUlinkState state, void** cubinOut, std::size_t* sizeOut)
{
    if (state == nullptr || cubinOut == nullptr || sizeOut == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    auto& image = reinterpret_cast<Linking*>(state)->image;
    if (image.empty())
        return CUDA_ERROR_INVALID_IMAGE;
    *cubinOut = image.data();
    *sizeOut = image.size();
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    delete reinterpret_cast<Linking*>(state);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType /*type*/, cuuint32_t tensorRank,
    void* globalAddress, const cuuint64_t* /*globalDim*/, const cuuint64_t* /*globalStrides*/,
    const cuuint32_t* /*boxDim*/, const cuuint32_t* /*elementStrides*/, CUtensorMapInterleave /*interleave*/,
    CUtensorMapSwizzle /*swizzle*/, CUtensorMapL2promotion /*l2Promotion*/, CUtensorMapFloatOOBfill /*oobFill*/)
{
    return encode(tensorMap, tensorRank, globalAddress);
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* tensorMap, CUtensorMapDataType /*type*/, cuuint32_t tensorRank,
    void* globalAddress, const cuuint64_t* /*globalDim*/, const cuuint64_t* /*globalStrides*/, const int* /*lower*/,
    const int* /*upper*/, cuuint32_t /*channelsPerPixel*/, cuuint32_t /*pixelsPerColumn*/,
    const cuuint32_t* /*elementStrides*/, CUtensorMapInterleave /*interleave*/, CUtensorMapSwizzle /*swizzle*/,
    CUtensorMapL2promotion /*l2Promotion*/, CUtensorMapFloatOOBfill /*oobFill*/)
{
    return encode(tensorMap, tensorRank, globalAddress);
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress)
{
    return tensorMap == nullptr || globalAddress == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

} // extern "C"
