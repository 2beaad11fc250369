// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/Kernels.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <string>

namespace headroom::rehearsal::tests {
namespace {

void hostFunction() { }

const void* asKernel(void (*function)())
{
    return reinterpret_cast<const void*>(function);
}

/// A library with code for one architecture, registered as compiled code does it.
class Registered {
public:
    explicit Registered(int architecture)
        : m_container(emptyContainer(architecture))
        , m_module(registerModule(m_container.data()))
    {
        registerKernel(m_module, asKernel(hostFunction), "a_kernel");
    }
    ~Registered() { unregisterModule(m_module); }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;

private:
    std::string m_container;
    Module* m_module;
};

cudaError_t launchIt(dim3 grid, dim3 block, std::size_t sharedBytes = 0)
{
    return cudaLaunchKernel(asKernel(hostFunction), grid, block, nullptr, sharedBytes, nullptr);
}

TEST(Kernels, runWhereTheirCodeDoes)
{
    for (const int architecture : {90}) {
        const Registered library(architecture);
        EXPECT_EQ(launchIt(dim3(1), dim3(32)), cudaSuccess);
    }
    for (const int architecture : {70, 80, 100}) {
        const Registered library(architecture);
        EXPECT_EQ(launchIt(dim3(1), dim3(32)), cudaErrorNoKernelImageForDevice) << architecture;
    }
    EXPECT_EQ(launchIt(dim3(1), dim3(32)), cudaErrorInvalidDeviceFunction) << "nobody registered it";
    cudaGetLastError();
}

TEST(Kernels, refuseSizesThatNoCardHas)
{
    const Registered library(90);
    EXPECT_EQ(launchIt(dim3(1), dim3(1025)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launchIt(dim3(0), dim3(32)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launchIt(dim3(1, 65536), dim3(32)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launchIt(dim3(1), dim3(32), 100'000), cudaErrorInvalidValue) << "more shared memory than it asked for";
    ASSERT_EQ(cudaFuncSetAttribute(asKernel(hostFunction), cudaFuncAttributeMaxDynamicSharedMemorySize, 100'000),
        cudaSuccess);
    EXPECT_EQ(launchIt(dim3(1), dim3(32), 100'000), cudaSuccess);
    EXPECT_EQ(cudaFuncSetAttribute(asKernel(hostFunction), cudaFuncAttributeMaxDynamicSharedMemorySize, 300'000),
        cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Kernels, fillMultiprocessorsByTheTightestLimit)
{
    const Registered library(90);
    int blocks = 0;
    const auto ask = [&](int threads, std::size_t sharedBytes) {
        EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asKernel(hostFunction), threads, sharedBytes),
            cudaSuccess);
        return blocks;
    };
    EXPECT_EQ(ask(1024, 0), 2) << "2048 threads";
    EXPECT_EQ(ask(32, 0), 32) << "32 blocks";
    EXPECT_EQ(ask(32, 100'000), 2) << "233,472 bytes";
}

TEST(Kernels, areFoundInPtxByName)
{
    const char ptx[] = "\n.version 8.0\n.target sm_80\n.visible .entry wanted(\n.param .u64 a)\n{ ret; }\n";
    CUmodule module = nullptr;
    ASSERT_EQ(cuModuleLoadData(&module, ptx), CUDA_SUCCESS);
    CUfunction function = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&function, module, "wanted"), CUDA_SUCCESS);
    EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunction(&function, module, "want"), CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
}

TEST(Kernels, ofNewerCardsAreToldByTheirArchitectures)
{
    const std::string container = emptyContainer(100);
    EXPECT_EQ(ModuleImage(container.data()).architectures(), "sm_100");
    EXPECT_FALSE(ModuleImage(container.data()).runsOn(9, 0));
    EXPECT_TRUE(ModuleImage(container.data()).runsOn(10, 3));
}

TEST(Contexts, areThoseOfTheRuntimeOnceAThreadUsedIt)
{
    void* memory = nullptr;
    CUcontext current = nullptr;
    CUcontext primary = nullptr;
    ASSERT_EQ(cudaMalloc(&memory, 1), cudaSuccess);
    ASSERT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&primary, 0), CUDA_SUCCESS);
    EXPECT_NE(current, nullptr);
    EXPECT_EQ(current, primary);
    ASSERT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
    EXPECT_EQ(current, nullptr);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(EntryPoints, areThoseOfTheAskedVersion)
{
    void* older = nullptr;
    void* newer = nullptr;
    void* none = nullptr;
    ASSERT_EQ(cuGetProcAddress_v2("cuMemAlloc", &newer, 12000, 0, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(newer, reinterpret_cast<void*>(&cuMemAlloc_v2));
    ASSERT_EQ(cuGetProcAddress_v2("cuStreamGetCaptureInfo", &older, 11030, 0, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(older, reinterpret_cast<void*>(&cuStreamGetCaptureInfo_v2));
    CUdriverProcAddressQueryResult result{};
    EXPECT_EQ(cuGetProcAddress_v2("cuNothing", &none, 12000, 0, &result), CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(result, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

} // namespace
} // namespace headroom::rehearsal::tests
