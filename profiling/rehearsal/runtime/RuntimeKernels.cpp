// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/DeviceAttributes.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/kernels/EntryPoints.h"
#include "profiling/rehearsal/kernels/FunctionAttributes.h"
#include "profiling/rehearsal/kernels/Kernels.h"
#include "profiling/rehearsal/runtime/Call.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

using namespace headroom::rehearsal; // NOLINT: what follows is C

namespace {

Extent extentOf(dim3 size)
{
    return {size.x, size.y, size.z};
}

struct LaunchParameters {
    const void* func;
    dim3 gridDim;
    dim3 blockDim;
    void** args;
    std::size_t sharedMem;
    cudaStream_t stream;
};

cudaError_t launchObserved(const char* function, const LaunchParameters& parameters)
{
    Kernel* kernel = kernelOf(parameters.func);
    const auto work = [&] {
        Launch launch;
        launch.grid = extentOf(parameters.gridDim);
        launch.block = extentOf(parameters.blockDim);
        launch.sharedBytes = parameters.sharedMem;
        launch.arguments = parameters.args;
        launch.stream = parameters.stream;
        return launchKernel(kernel, launch);
    };
    return observed(function, parameters, work, kernel == nullptr ? nullptr : kernel->name);
}

/// The sizes between <<< and >>>, pushed before and popped within the call of a kernel's stub.
struct Configuration {
    dim3 grid;
    dim3 block;
    std::size_t sharedBytes;
    cudaStream_t stream;
};

constexpr int kDeepestConfigurations = 16;
constinit thread_local Configuration configurations[kDeepestConfigurations] = {};
constinit thread_local int configurationDepth = 0;

int occupancy(int* blocks, const void* func, int blockSize, std::size_t dynamicBytes)
{
    if (blocks == nullptr || blockSize <= 0)
        return cudaErrorInvalidValue;
    if (const int status = requireImage(kernelOf(func)); status != cudaSuccess)
        return status;
    *blocks = activeBlocks(blockSize, dynamicBytes);
    return cudaSuccess;
}

/// The size of a cluster that a launch asks for; 1 without one.
unsigned clusterBlocks(const cudaLaunchConfig_t& config)
{
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        if (config.attrs[i].id == cudaLaunchAttributeClusterDimension)
            return config.attrs[i].val.clusterDim.x * config.attrs[i].val.clusterDim.y
                * config.attrs[i].val.clusterDim.z;
    }
    return 1;
}

/// Blocks of a cluster lie in one group of multiprocessors; the largest that every card with clusters can run.
constexpr int kPortableClusterBlocks = 8;

Module* moduleOf(void** handle)
{
    return reinterpret_cast<Module*>(handle);
}

Module* moduleOf(cudaLibrary_t library)
{
    return reinterpret_cast<Module*>(library);
}

int findEntryPoint(const char* symbol, void** function, int version, cudaDriverEntryPointQueryResult* result)
{
    if (symbol == nullptr || function == nullptr)
        return cudaErrorInvalidValue;
    *function = driverEntryPoint(symbol, version);
    if (result != nullptr)
        *result = *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return *function != nullptr || result != nullptr ? cudaSuccess : cudaErrorSymbolNotFound;
}

} // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* fatCubin)
{
    return reinterpret_cast<void**>(registerModule(fatCubin));
}

void __cudaRegisterFatBinaryEnd(void** /*handle*/) { }

void __cudaUnregisterFatBinary(void** handle)
{
    unregisterModule(moduleOf(handle));
}

char __cudaInitModule(void** /*handle*/)
{
    return 1;
}

void __cudaRegisterFunction(void** handle, const char* hostFun, char* /*deviceFun*/, const char* deviceName,
    int /*threadLimit*/, uint3* /*tid*/, uint3* /*bid*/, dim3* /*bDim*/, dim3* /*gDim*/, int* /*wSize*/)
{
    registerKernel(moduleOf(handle), hostFun, deviceName);
}

void __cudaRegisterVar(void** /*handle*/, char* hostVar, char* /*deviceAddress*/, const char* deviceName, int /*ext*/,
    std::size_t size, int /*constant*/, int /*global*/)
{
    registerVariable(hostVar, deviceName, size);
}

unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, std::size_t sharedMem, CUstream_st* stream)
{
    if (configurationDepth == kDeepestConfigurations)
        return cudaErrorInvalidConfiguration;
    configurations[configurationDepth++] = {gridDim, blockDim, sharedMem, stream};
    return cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, std::size_t* sharedMem, void* stream)
{
    if (configurationDepth == 0)
        return noted(cudaErrorMissingConfiguration);
    const Configuration& last = configurations[--configurationDepth];
    *gridDim = last.grid;
    *blockDim = last.block;
    *sharedMem = last.sharedBytes;
    *static_cast<cudaStream_t*>(stream) = last.stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* entryFuncAddr)
{
    return cudaGetKernel(kernel, entryFuncAddr);
}

cudaError_t __cudaLaunchKernel(
    cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void** args, std::size_t sharedMem, cudaStream_t stream)
{
    return launchObserved("cudaLaunchKernel", {kernel, gridDim, blockDim, args, sharedMem, stream});
}

cudaError_t cudaLaunchKernel(
    const void* func, dim3 gridDim, dim3 blockDim, void** args, std::size_t sharedMem, cudaStream_t stream)
{
    return launchObserved("cudaLaunchKernel", {func, gridDim, blockDim, args, sharedMem, stream});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args)
{
    if (config == nullptr)
        return noted(cudaErrorInvalidValue);
    return launchObserved("cudaLaunchKernelExC",
        {func, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream});
}

cudaError_t cudaLaunchCooperativeKernel(
    const void* func, dim3 gridDim, dim3 blockDim, void** args, std::size_t sharedMem, cudaStream_t stream)
{
    int blocks = 0;
    if (const int status = occupancy(&blocks, func, static_cast<int>(blockDim.x * blockDim.y * blockDim.z), sharedMem);
        status != cudaSuccess)
        return noted(status);
    // All blocks have to be there at once.
    if (std::size_t{gridDim.x} * gridDim.y * gridDim.z
        > static_cast<std::size_t>(blocks) * static_cast<std::size_t>(card().multiprocessors))
        return noted(cudaErrorCooperativeLaunchTooLarge);
    return launchObserved("cudaLaunchCooperativeKernel", {func, gridDim, blockDim, args, sharedMem, stream});
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* entryFuncAddr)
{
    Kernel* found = kernelOf(entryFuncAddr);
    if (kernel == nullptr || found == nullptr)
        return noted(found == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *kernel = reinterpret_cast<cudaKernel_t>(found);
    return cudaSuccess;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbolPtr)
{
    return cudaGetKernel(reinterpret_cast<cudaKernel_t*>(function), symbolPtr);
}

cudaError_t cudaFuncGetName(const char** name, const void* func)
{
    const Kernel* kernel = kernelOf(func);
    if (name == nullptr || kernel == nullptr)
        return noted(kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *name = kernel->name;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* func)
{
    if (attributes == nullptr)
        return noted(cudaErrorInvalidValue);
    if (const int status = openDevice(currentDevice()); status != cudaSuccess)
        return noted(status);
    Kernel* kernel = kernelOf(func);
    if (const int status = requireImage(kernel); status != cudaSuccess)
        return noted(status);
    const auto get = [&](int attribute) {
        int value = 0;
        functionAttribute(kernel, attribute, &value);
        return value;
    };
    *attributes = {};
    attributes->maxThreadsPerBlock = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    attributes->numRegs = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
    attributes->ptxVersion = get(CU_FUNC_ATTRIBUTE_PTX_VERSION);
    attributes->binaryVersion = get(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    attributes->maxDynamicSharedSizeBytes = get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    attributes->preferredShmemCarveout = get(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attribute, int value)
{
    return noted(setFunctionAttribute(kernelOf(func), attribute, value));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int /*device*/)
{
    return noted(setFunctionAttribute(kernelOf(kernel), attribute, value));
}

cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache /*config*/)
{
    return noted(requireImage(kernelOf(func)));
}

cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig /*config*/)
{
    return noted(requireImage(kernelOf(func)));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, const void* func, int blockSize, std::size_t dynamicBytes)
{
    return noted(occupancy(blocks, func, blockSize, dynamicBytes));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* func, int blockSize, std::size_t dynamicBytes, unsigned /*flags*/)
{
    return noted(occupancy(blocks, func, blockSize, dynamicBytes));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
    std::size_t* bytes, const void* func, int blocks, int /*blockSize*/)
{
    if (bytes == nullptr || blocks <= 0)
        return noted(cudaErrorInvalidValue);
    *bytes = availableSharedBytes(blocks);
    return noted(requireImage(kernelOf(func)));
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* func, const cudaLaunchConfig_t* config)
{
    if (clusters == nullptr || config == nullptr)
        return noted(cudaErrorInvalidValue);
    int blocks = 0;
    const dim3 size = config->blockDim;
    const int status = occupancy(&blocks, func, static_cast<int>(size.x * size.y * size.z), config->dynamicSmemBytes);
    *clusters = blocks * card().multiprocessors / static_cast<int>(clusterBlocks(*config));
    return noted(status);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int* clusterSize, const void* func, const cudaLaunchConfig_t* /*config*/)
{
    if (clusterSize == nullptr)
        return noted(cudaErrorInvalidValue);
    int hasClusters = 0;
    deviceAttribute(cudaDevAttrClusterLaunch, currentDevice(), &hasClusters);
    *clusterSize = hasClusters != 0 ? kPortableClusterBlocks : 1;
    return noted(requireImage(kernelOf(func)));
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* /*jitOptions*/,
    void** /*jitOptionsValues*/, unsigned /*numJitOptions*/, cudaLibraryOption* /*libraryOptions*/,
    void** /*libraryOptionValues*/, unsigned /*numLibraryOptions*/)
{
    return noted(loadModule(code, reinterpret_cast<Module**>(library)));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName, cudaJitOption* /*jitOptions*/,
    void** /*jitOptionsValues*/, unsigned /*numJitOptions*/, cudaLibraryOption* /*libraryOptions*/,
    void** /*libraryOptionValues*/, unsigned /*numLibraryOptions*/)
{
    return noted(fileName == nullptr ? static_cast<int>(cudaErrorInvalidValue)
                                     : loadModuleFile(fileName, reinterpret_cast<Module**>(library)));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    return noted(unloadModule(moduleOf(library)));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name)
{
    if (kernel == nullptr || name == nullptr)
        return noted(cudaErrorInvalidValue);
    return noted(kernelByName(moduleOf(library), name, reinterpret_cast<Kernel**>(kernel)));
}

cudaError_t cudaLibraryGetGlobal(void** dptr, std::size_t* bytes, cudaLibrary_t library, const char* name)
{
    return noted(variableByName(moduleOf(library), name, dptr, bytes));
}

cudaError_t cudaGetDriverEntryPoint(
    const char* symbol, void** funcPtr, unsigned long long /*flags*/, cudaDriverEntryPointQueryResult* driverStatus)
{
    return noted(findEntryPoint(symbol, funcPtr, CUDART_VERSION, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned cudaVersion,
    unsigned long long /*flags*/, cudaDriverEntryPointQueryResult* driverStatus)
{
    return noted(findEntryPoint(symbol, funcPtr, static_cast<int>(cudaVersion), driverStatus));
}

} // extern "C"
