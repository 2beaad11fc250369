// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaRuntime.h"

#include "profiling/collectors/cuda/CudaInstruments.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::collectors {
namespace {

TEST(CudaRuntimeTest, thereAreDevicesOrAReason)
{
    const CudaAvailability availability = cudaAvailability();
    EXPECT_EQ(availability.devices.empty(), !availability.reason.empty());
    EXPECT_GE(availability.runtimeVersion, 12000);
    EXPECT_GT(availability.cuptiVersion, 0U);
    for (const CudaDevice& device : availability.devices) {
        EXPECT_FALSE(device.name.empty());
        EXPECT_GT(device.totalBytes, 0);
        EXPECT_GT(device.capabilityMajor, 0);
    }
}

TEST(CudaRuntimeTest, askingTwiceGivesTheSameAnswer)
{
    EXPECT_EQ(cudaAvailability().reason, cudaAvailability().reason);
    EXPECT_EQ(cudaAvailability().devices.size(), cudaAvailability().devices.size());
}

TEST(CudaRuntimeTest, withoutADeviceOpeningOneFailsWithTheReason)
{
    const CudaAvailability availability = cudaAvailability();
    if (availability.reason.empty())
        GTEST_SKIP() << "this machine has " << availability.devices.front().name;
    const std::string message = refusal<TrialError>([] { openCudaDevice(0); });
    EXPECT_THAT(message, testing::StartsWith("cuda:0: " + availability.reason));
    EXPECT_THAT(message, testing::HasSubstr("sim:NAME"));
    EXPECT_THROW(CudaInstruments(0, std::nullopt), TrialError);
}

TEST(CudaRuntimeTest, withoutADriverTheReasonSaysSo)
{
    const CudaAvailability availability = cudaAvailability();
    if (availability.driverVersion != 0)
        GTEST_SKIP() << "this machine has an NVIDIA driver";
    EXPECT_EQ(availability.reason, "no NVIDIA driver is loaded on this machine");
}

TEST(CudaRuntimeTest, aUuidIsWrittenAsTheDriverWritesIt)
{
    const char bytes[16]{
        0x01, 0x23, 0x45, 0x67, '\x89', '\xab', '\xcd', '\xef', 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, '\xff'};
    EXPECT_EQ(uuidText(bytes), "GPU-01234567-89ab-cdef-0011-2233445566ff");
}

TEST(CudaRuntimeTest, aProcessThatHasRunLibTorchWithoutCudaAsksForAFreshOne)
{
    EXPECT_NO_THROW(requireCudaInLibTorch(true, "cuda:0"));
    const std::string message = refusal<TrialError>([] { requireCudaInLibTorch(false, "cuda:0"); });
    EXPECT_THAT(message, testing::StartsWith("cuda:0: this process has run LibTorch before"));
    EXPECT_THAT(message, testing::HasSubstr("a fresh worker"));
}

TEST(CudaRuntimeTest, aDeviceThatIsNotThereIsRefused)
{
    EXPECT_THROW(openCudaDevice(999), TrialError);
}

} // namespace
} // namespace headroom::collectors
