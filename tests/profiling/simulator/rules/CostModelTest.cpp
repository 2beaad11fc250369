// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/CostModel.h"

#include <gtest/gtest.h>

namespace headroom::simulator {
namespace {

SpeedProfile speed()
{
    SpeedProfile profile;
    profile.peakFlops[static_cast<std::size_t>(MathType::Float32)] = Sourced<double>{1e12, ""};
    profile.peakFlops[static_cast<std::size_t>(MathType::Float16)] = Sourced<double>{8e12, ""};
    profile.bandwidthBytesPerSecond = {1e9, ""};
    profile.hostLinkBytesPerSecond = {1e8, ""};
    profile.kernelLaunchSeconds = {5e-6, ""};
    profile.kernelFloorSeconds = {2e-6, ""};
    profile.flopsFraction = {0.5, ""};
    profile.bandwidthFraction = {0.8, ""};
    return profile;
}

TEST(CostModelTest, takesTheSlowerOfArithmeticAndTraffic)
{
    const CostModel model(speed());
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.flops = 1e12, .bytesRead = 8}), 2.0);
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.flops = 1.0, .bytesRead = 600'000'000, .bytesWritten = 200'000'000}), 1.0);
}

TEST(CostModelTest, usesThePeakOfTheType)
{
    const CostModel model(speed());
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.flops = 4e12, .type = MathType::Float16}), 1.0);
}

TEST(CostModelTest, aTypeWithoutUnitsRunsLikeFloat32)
{
    const CostModel model(speed());
    EXPECT_DOUBLE_EQ(model.flopsPerSecond(MathType::Bfloat16), model.flopsPerSecond(MathType::Float32));
}

TEST(CostModelTest, noKernelIsShorterThanTheFloorAndAViewCostsNothing)
{
    const CostModel model(speed());
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.flops = 10, .launches = 3}), 6e-6);
    EXPECT_DOUBLE_EQ(model.hostSeconds({.flops = 10, .launches = 3}), 15e-6);
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.launches = 0}), 0.0);
    EXPECT_DOUBLE_EQ(model.hostSeconds({.launches = 0}), 0.0);
}

TEST(CostModelTest, copiesGoOverTheHostLink)
{
    EXPECT_DOUBLE_EQ(CostModel(speed()).copySeconds(50'000'000), 0.5);
}

TEST(CostModelTest, blockingCopiesArePageableWhereThatRateIsKnown)
{
    SpeedProfile profile = speed();
    EXPECT_DOUBLE_EQ(CostModel(profile).copySeconds(50'000'000, HostLink::Pageable), 0.5);
    profile.pageableLinkBytesPerSecond = Sourced<double>{1e7, ""};
    EXPECT_DOUBLE_EQ(CostModel(profile).copySeconds(50'000'000, HostLink::Pageable), 5.0);
    EXPECT_DOUBLE_EQ(CostModel(profile).copySeconds(50'000'000, HostLink::Pinned), 0.5);
}

TEST(CostModelTest, measuredRatesDecideInsteadOfPeaks)
{
    SpeedProfile profile = speed();
    profile.rates.add({Work::Product, MathType::Float32, 0, {{1e6, 1e9, 0}, {1e9, 1e9, 0}}, ""});
    profile.rates.add({Work::Gelu, MathType::Float32, 0, {{1e3, 1e6, 0}, {1e9, 1e6, 0}}, ""});
    const CostModel model(profile);
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.flops = 1e9, .work = Work::Product}), 1.0);
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.bytesRead = 500'000, .bytesWritten = 500'000, .work = Work::Gelu}), 1.0);
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.bytesRead = 80'000'000, .work = Work::Softmax}), 0.1)
        << "neither it nor elementwise ops were measured";
    EXPECT_DOUBLE_EQ(model.deviceSeconds({.launches = 0, .work = Work::Gelu}), 0.0);
}

TEST(CostModelTest, anOpOnAListTakesTheTimeOfItsTensors)
{
    SpeedProfile profile = speed();
    profile.rates.add({Work::Elementwise, MathType::Float32, 0, {{1e3, 1e6, 0}, {1e6, 1e9, 0}}, ""});
    const CostModel model(profile);
    EXPECT_NEAR(model.deviceSeconds({.bytesRead = 10'000, .parts = 10}), 10 * 1e-3, 1e-12);
    EXPECT_NEAR(model.deviceSeconds({.bytesRead = 1'000'000}), 1e-3, 1e-12);
}

TEST(CostModelTest, aHostThatComputesSpendsTimeOnViewsToo)
{
    DeviceProfile device;
    device.speed = speed();
    EXPECT_EQ(CostModel::of(device)->execution(), Execution::Queued);
    EXPECT_DOUBLE_EQ(CostModel::of(device)->hostSeconds({.launches = 0}), 0.0);
    device.kind = AllocatorKind::Exact;
    EXPECT_EQ(CostModel::of(device)->execution(), Execution::Inline);
    EXPECT_DOUBLE_EQ(CostModel::of(device)->hostSeconds({.launches = 0}), 5e-6);
}

TEST(CostModelTest, whatAutogradRecordsTakesItsTime)
{
    SpeedProfile profile = speed();
    EXPECT_DOUBLE_EQ(CostModel(profile).hostSeconds({.isRecorded = true}), 5e-6);
    profile.autogradSeconds = Sourced<double>{2e-6, ""};
    EXPECT_DOUBLE_EQ(CostModel(profile).hostSeconds({.isRecorded = true}), 7e-6);
    EXPECT_DOUBLE_EQ(CostModel(profile).hostSeconds({}), 5e-6);
}

TEST(CostModelTest, aDeviceWithoutSpeedHasNone)
{
    EXPECT_FALSE(CostModel::of(DeviceProfile{}).has_value());
    DeviceProfile device;
    device.speed = speed();
    EXPECT_TRUE(CostModel::of(device).has_value());
}

} // namespace
} // namespace headroom::simulator
