// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/CalibratedProfile.h"

#include "profiling/simulator/profiles/DeviceProfile.h"
#include "profiling/simulator/rules/CostModel.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using protocol::CalibratedConstant;
using testing::HasSubstr;
using testing::Not;
using Kind = CalibratedConstant::Kind;

// What a worker would have measured of a processor.
protocol::Calibration cpuCalibration()
{
    protocol::Calibration calibration{"exact", "Some \"CPU\", 2 threads", "", "2.11.0", 61.4};
    for (const char* key : {"bandwidth_bytes_per_second", "host_link_bytes_per_second", "kernel_launch_seconds",
             "kernel_floor_seconds", "peak_flops.float32"})
        calibration.constants.push_back({std::string("speed.") + key, 2e-6, Kind::Real, 0.0314, "a probe"});
    for (const char* key : {"flops_fraction", "bandwidth_fraction"})
        calibration.constants.push_back({std::string("speed.") + key, 1, Kind::Real, std::nullopt, "no peak"});
    calibration.constants.push_back({"speed.threads", 2, Kind::Count, std::nullopt, "LibTorch's threads"});
    calibration.rates.push_back({"product", "float32", 64, {{1e6, 2.34567e9, 0.25}, {1e9, 3e10, 0}}, "addmm"});
    calibration.rates.push_back({"gelu", "bfloat16", 0, {{4096, 1e9, 0.01}}, "gelu"});
    return calibration;
}

protocol::Calibration cudaCalibration()
{
    protocol::Calibration calibration = cpuCalibration();
    calibration.allocator = "caching";
    calibration.capability = "9.0";
    for (const auto& [key, value] : {std::pair("memory.total_bytes", 80e9), std::pair("memory.usable_bytes", 79e9),
             std::pair("memory.context_bytes", 5e8), std::pair("compute.multiprocessors", 132.0),
             std::pair("compute.threads_per_multiprocessor", 2048.0)})
        calibration.constants.push_back({key, value, Kind::Count, std::nullopt, "the driver"});
    return calibration;
}

TEST(CalibratedProfileTest, statesEachConstantWithSourceAndSpread)
{
    const std::string text = calibratedProfile(cpuCalibration(), {"box", "2026-11-23", "cpu"});
    EXPECT_THAT(text,
        HasSubstr("name = \"box\"\ntitle = \"Some \\\"CPU\\\", 2 threads, measured 2026-11-23\"\nkind = \"exact\"\n"));
    EXPECT_THAT(text, HasSubstr("\n[speed]\n"));
    EXPECT_THAT(text,
        HasSubstr("kernel_floor_seconds = { value = 2e-06, source = \"measured: a probe; 2026-11-23, LibTorch "
                  "2.11.0, Some \\\"CPU\\\", 2 threads\", spread = 0.031 }\n"));
    EXPECT_THAT(text, HasSubstr("threads = { value = 2, source = \"LibTorch's threads; 2026-11-23"));
    EXPECT_THAT(text, HasSubstr("\n[speed.peak_flops]\nfloat32 = { value = 2e-06"));
    EXPECT_THAT(text,
        HasSubstr("\n[[speed.rates]]\nwork = \"product\"\ntype = \"float32\"\nsmallest_dimension = 64\npoints = [ "
                  "# [size, per second, spread]\n  [1000000, 2.346e+09, 0.250],\n  [1e+09, 3e+10, 0.000],\n]\n"
                  "source = \"measured: addmm; 2026-11-23"));
    EXPECT_THAT(text, HasSubstr("calibrate --device cpu in 61 s"));
    EXPECT_THAT(text, Not(HasSubstr("quick")));
}

TEST(CalibratedProfileTest, aQuickOneSaysSo)
{
    const std::string text =
        calibratedProfile(cpuCalibration(), {"box", "2026-11-23", "cpu", protocol::CalibrationEffort::Short});
    EXPECT_THAT(text, HasSubstr("--quick"));
    EXPECT_THAT(text, HasSubstr("2026-11-23, quick, LibTorch"));
}

TEST(CalibratedProfileTest, aProcessorsReadsBackAndPredictsTime)
{
    const auto profile = simulator::DeviceProfile::parse(
        calibratedProfile(cpuCalibration(), {"box", "2026-11-23", "cpu"}), "folder/box.toml");
    EXPECT_EQ(profile.kind, simulator::AllocatorKind::Exact);
    EXPECT_FALSE(profile.memory.has_value());
    ASSERT_TRUE(profile.speed.has_value());
    EXPECT_EQ(profile.speed->threads->value, 2);
    EXPECT_DOUBLE_EQ(profile.speed->kernelFloorSeconds.spread.value(), 0.031);
    ASSERT_EQ(profile.speed->rates.tables().size(), 2U);
    const auto model = simulator::CostModel::of(profile);
    EXPECT_NEAR(
        model->deviceSeconds({.flops = 3e10, .work = simulator::Work::Product, .smallestDimension = 64}), 1, 1e-9);
}

TEST(CalibratedProfileTest, aGpusReadsBackWithItsMemory)
{
    const auto profile = simulator::DeviceProfile::parse(
        calibratedProfile(cudaCalibration(), {"card", "2026-11-23", "cuda:0"}), "card.toml");
    EXPECT_EQ(profile.kind, simulator::AllocatorKind::Caching);
    EXPECT_EQ(profile.compute->capability.value, (simulator::ComputeCapability{9, 0}));
    EXPECT_EQ(profile.compute->multiprocessors.value, 132);
    EXPECT_EQ(profile.memory->usableBytes.value, 79'000'000'000);
    EXPECT_EQ(profile.memory->contextBytes.value, 500'000'000);
}

} // namespace
} // namespace headroom::cli
