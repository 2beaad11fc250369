// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CaptureLevel.h"

#include <gmock/gmock.h>

namespace headroom::collectors {
namespace {

CaptureLevel levelWith(const std::vector<std::string>& available)
{
    std::vector<Capability> capabilities;
    for (const char* name : {"cpu_allocator", "cuda_allocator", "nvml", "cupti_memory", "cupti_kernels"}) {
        const bool isThere = std::find(available.begin(), available.end(), name) != available.end();
        capabilities.push_back({name, "", "", isThere ? "" : "missing"});
    }
    return captureLevelOf(capabilities);
}

TEST(CaptureLevelTest, isAsHighAsTheCollectorsReach)
{
    EXPECT_EQ(levelWith({"cpu_allocator"}), CaptureLevel::CpuAllocator);
    EXPECT_EQ(levelWith({"cpu_allocator", "cuda_allocator"}), CaptureLevel::CudaAllocator);
    EXPECT_EQ(levelWith({"cuda_allocator", "nvml"}), CaptureLevel::Sampled);
    EXPECT_EQ(levelWith({"cuda_allocator", "nvml", "cupti_memory"}), CaptureLevel::CuptiMemory);
    EXPECT_EQ(levelWith({"cuda_allocator", "cupti_memory"}), CaptureLevel::CuptiMemory);
    EXPECT_EQ(levelWith({"cuda_allocator", "nvml", "cupti_memory", "cupti_kernels"}), CaptureLevel::CuptiKernels);
}

TEST(CaptureLevelTest, withoutADeviceNothingOfOneIsTraced)
{
    EXPECT_EQ(levelWith({"cpu_allocator", "nvml"}), CaptureLevel::CpuAllocator);
}

TEST(CapabilitiesTest, whatIsMissingHasTheReasonOfTheDriverNotOfCupti)
{
    CudaAvailability cuda;
    cuda.reason = "no NVIDIA driver is loaded on this machine";
    for (const Capability& capability : capabilities(cuda)) {
        EXPECT_FALSE(capability.tells.empty()) << capability.name;
        if (capability.name.starts_with("cu") || capability.name == "virtual_memory") {
            EXPECT_EQ(capability.reason, cuda.reason) << capability.name;
        }
    }
}

TEST(CapabilitiesTest, cpuAndHostAreAlwaysSeen)
{
    for (const Capability& capability : capabilities(cudaAvailability()))
        if (capability.name == "cpu_allocator" || capability.name == "host_memory") {
            EXPECT_EQ(capability.reason, "") << capability.name;
        }
}

} // namespace
} // namespace headroom::collectors
