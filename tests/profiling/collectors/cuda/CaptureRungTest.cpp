// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CaptureRung.h"

#include <gmock/gmock.h>

namespace headroom::collectors {
namespace {

CaptureRung rungWith(const std::vector<std::string>& available)
{
    std::vector<Capability> capabilities;
    for (const char* name : {"cpu_allocator", "cuda_allocator", "nvml", "cupti_memory", "cupti_kernels"}) {
        const bool isThere = std::find(available.begin(), available.end(), name) != available.end();
        capabilities.push_back({name, "", "", isThere ? "" : "missing"});
    }
    return rungOf(capabilities);
}

TEST(CaptureRungTest, isAsHighAsTheCollectorsReach)
{
    EXPECT_EQ(rungWith({"cpu_allocator"}), CaptureRung::CpuAllocator);
    EXPECT_EQ(rungWith({"cpu_allocator", "cuda_allocator"}), CaptureRung::CudaAllocator);
    EXPECT_EQ(rungWith({"cuda_allocator", "nvml"}), CaptureRung::Sampled);
    EXPECT_EQ(rungWith({"cuda_allocator", "nvml", "cupti_memory"}), CaptureRung::CuptiMemory);
    EXPECT_EQ(rungWith({"cuda_allocator", "cupti_memory"}), CaptureRung::CuptiMemory);
    EXPECT_EQ(rungWith({"cuda_allocator", "nvml", "cupti_memory", "cupti_kernels"}), CaptureRung::CuptiKernels);
}

TEST(CaptureRungTest, withoutADeviceNothingOfOneIsTraced)
{
    EXPECT_EQ(rungWith({"cpu_allocator", "nvml"}), CaptureRung::CpuAllocator);
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
