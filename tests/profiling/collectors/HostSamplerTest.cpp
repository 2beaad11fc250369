// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/HostSampler.h"

#include "profiling/measurement/HostProcess.h"
#include "tests/profiling/comparisons/TracedRun.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <thread>

namespace headroom::collectors {
namespace {

TEST(HostSamplerTest, aTraceHasASampleAtItsBeginAndItsEnd)
{
    HostSampler sampler;
    EXPECT_TRUE(sampler.capability().isAvailable());
    sampler.start(std::chrono::steady_clock::now());
    Capture capture;
    sampler.stop(capture);
    const auto& samples = capture.records.hostSamples;
    ASSERT_GE(samples.size(), 2U);
    EXPECT_GE(samples.front().timeNs, 0);
    EXPECT_LT(samples.front().timeNs, samples.back().timeNs);
    EXPECT_GT(samples.front().residentBytes.value_or(0), 0);
    EXPECT_EQ(samples.front().pinnedBytes, std::nullopt);
}

TEST(HostSamplerTest, memoryThatIsTouchedIsSeen)
{
    constexpr std::size_t kBlock = 64 << 20;
    HostSampler sampler;
    sampler.start(std::chrono::steady_clock::now());
    std::vector<char> block(kBlock);
    std::memset(block.data(), 1, block.size());
    Capture capture;
    sampler.stop(capture);
    const auto& samples = capture.records.hostSamples;
    EXPECT_GT(*samples.back().residentBytes - *samples.front().residentBytes, static_cast<Bytes>(kBlock) / 2);
    EXPECT_EQ(block.back(), 1);
}

TEST(HostSamplerTest, pinnedBytesAreAskedFor)
{
    HostSampler sampler([] { return Bytes{42}; });
    sampler.start(std::chrono::steady_clock::now());
    Capture capture;
    sampler.stop(capture);
    EXPECT_EQ(capture.records.hostSamples.back().pinnedBytes, 42);
}

TEST(HostSamplerTest, aTracedTrialOnTheCpuHasTheHostsLane)
{
    KeptTrace trace;
    const auto trial = trialOf(
        "cpu", {{"num_layers", 1}, {"dim", 64}}, {{"step", "inference"}, {"batch", 1}, {"sequence_length", 64}});
    ASSERT_EQ(traced(trial, trace).outcome, Outcome::Completed);
    const auto& samples = trace.deviceRecords.hostSamples;
    ASSERT_GE(samples.size(), 2U);
    EXPECT_LE(samples.front().timeNs, trace.phases.front().beginNs);
    EXPECT_GE(samples.back().timeNs, trace.phases.back().endNs);
}

TEST(HostSamplerTest, theQuickFigureIsNearTheExactOne)
{
    const Bytes quick = sampledResidentBytes().value(), exact = residentBytes().value();
    EXPECT_LT(std::abs(quick - exact), exact / 4);
}

} // namespace
} // namespace headroom::collectors
