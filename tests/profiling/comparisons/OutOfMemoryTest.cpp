// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

// One gelu layer of dim 32 on 64 tokens: X = 64 * 32 * 4 bytes; a step needs the weights, X and twice 4 X.
constexpr Bytes kX = 64 * 32 * 4;
constexpr Bytes kWeights = (2 * 32 * 128 + 128 + 32) * 4;
constexpr Bytes kNeed = kWeights + 9 * kX;

config::Trial trialWithin(const std::string& device, std::optional<Bytes> limit, const char* step = "inference")
{
    config::Trial trial = trialOf(device, {{"num_layers", 1}, {"dim", 32}, {"activation_fn", "gelu"}},
        {{"step", step}, {"batch", 2}, {"sequence_length", 32}});
    trial.memoryLimitBytes = limit;
    return trial;
}

class OutOfMemoryTest : public testing::TestWithParam<const char*> {
protected:
    config::Trial within(std::optional<Bytes> limit, const char* step = "inference") const
    {
        return trialWithin(GetParam(), limit, step);
    }
};

TEST_P(OutOfMemoryTest, whatIsJustEnoughIsEnough)
{
    const protocol::RepeatResult result = measured(within(kNeed));
    EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
    EXPECT_EQ(result.memory.peak.allocated, kNeed);
    EXPECT_EQ(result.memory.limit, kNeed);
    EXPECT_FALSE(result.outOfMemory);
}

TEST_P(OutOfMemoryTest, oneByteLessFailsInTheForwardPassForThatByte)
{
    const protocol::RepeatResult result = measured(within(kNeed - 1));
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.phase, "forward");
    EXPECT_EQ(result.outOfMemory, (protocol::OutOfMemoryFacts{"forward", 4 * kX, 1, 4 * kX - 1, kNeed - 4 * kX}));
    EXPECT_FALSE(result.reason.empty());
    EXPECT_EQ(result.memory.wholeRunPeak.allocated, kNeed - 4 * kX) << "as far as it came";
    EXPECT_TRUE(result.stepSeconds.empty());
}

TEST_P(OutOfMemoryTest, weightsThatDoNotFitFailInTheLoadPhase)
{
    const protocol::RepeatResult result = measured(within(kWeights - 28));
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.outOfMemory, (protocol::OutOfMemoryFacts{"load", 32 * 4, 28, 100, kWeights - 128}))
        << "the last bias";
}

TEST_P(OutOfMemoryTest, theBackwardPassMayFailToo)
{
    const protocol::RepeatResult whole = measured(within({}, "forward_backward"));
    const Bytes forward = *whole.memory.phasePeaks.at("forward").allocated;
    ASSERT_GT(*whole.memory.phasePeaks.at("backward").allocated, forward);
    const protocol::RepeatResult result = measured(within(forward, "forward_backward"));
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.phase, "backward");
    EXPECT_GT(result.outOfMemory->missingBytes, 0);
    EXPECT_LE(result.outOfMemory->missingBytes, result.outOfMemory->requestedBytes);
}

TEST_P(OutOfMemoryTest, theBaselineMayBeWhatDoesNotFit)
{
    config::Trial trial = within(kNeed - 1);
    split(trial, "4");
    EXPECT_EQ(measured(trial).outcome, Outcome::Completed) << "the split step needs less";
    trial.protocol.keepBaselineOutput = true;
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.phase, "baseline");
}

TEST_P(OutOfMemoryTest, nothingIsLeftAndTheNextTrialWorks)
{
    for (const char* step : {"inference", "forward_backward"})
        for (const Bytes limit : {kWeights - 28, kNeed - 1}) {
            const config::Trial trial = within(limit, step);
            const auto instruments = instrumentsOf(trial);
            SilentListener listener;
            EXPECT_EQ(TrialMeasurement(trial, *instruments, listener).run().outcome, Outcome::OutOfMemory);
            EXPECT_EQ(instruments->current().allocated, 0);
        }
    EXPECT_EQ(measured(within({})).memory.peak.allocated, kNeed);
}

INSTANTIATE_TEST_SUITE_P(Devices, OutOfMemoryTest, testing::Values("cpu", "sim:cpu"),
    [](const auto& test) { return std::string(test.param) == "cpu" ? "measured" : "simulated"; });

// A caching device gives whole segments: one that is missing a byte is missing a segment.
TEST(OutOfMemoryOnCachingDevicesTest, aLimitBelowTheReservedPeakEndsTheTrial)
{
    config::Trial trial = trialOf("sim:a100-80gb", {{"num_layers", 2}, {"dim", 1024}, {"activation_fn", "gelu"}},
        {{"batch", 2}, {"sequence_length", 4096}});
    const Bytes reserved = *measured(trial).memory.wholeRunPeak.reserved;
    trial.memoryLimitBytes = reserved;
    EXPECT_EQ(measured(trial).outcome, Outcome::Completed);
    trial.memoryLimitBytes = reserved - 64 * kMiB;
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.outOfMemory->phase, "forward");
    EXPECT_EQ(result.outOfMemory->requestedBytes, Bytes{4} * 8192 * 1024 * 4);
    EXPECT_GT(result.outOfMemory->missingBytes, 0);
    EXPECT_LE(result.outOfMemory->missingBytes, 64 * kMiB);
    EXPECT_LE(*result.memory.wholeRunPeak.reserved, *trial.memoryLimitBytes);
    EXPECT_LE(*result.outOfMemory->reservedBytes + *result.outOfMemory->freeBytes, *trial.memoryLimitBytes);
    EXPECT_GE(*result.outOfMemory->reservedBytes, *result.outOfMemory->allocatedBytes);
}

TEST(OutOfMemoryOnCachingDevicesTest, theDevicesOwnMemoryIsTheLimitWhereNoneIsGiven)
{
    const config::ValueMap fields{{"activation_fn", "gelu"}};
    const config::Trial large = trialOf("sim:t4", fields, {{"sequence_length", 65536}});
    const protocol::RepeatResult result = measured(large);
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    const auto& memory = *profiles().device("t4").memory;
    EXPECT_EQ(result.memory.limit, memory.usableBytes.value - memory.contextBytes.value);
    EXPECT_EQ(measured(trialOf("sim:h200", fields, {{"sequence_length", 65536}})).outcome, Outcome::Completed);
}

TEST(OutOfMemoryOnCachingDevicesTest, onlyTheWorkspacesAreLeft)
{
    config::Trial trial = trialOf("sim:a100-80gb", {{"num_layers", 2}, {"dim", 1024}, {"activation_fn", "gelu"}},
        {{"step", "train"}, {"batch", 2}, {"sequence_length", 4096}});
    trial.memoryLimitBytes = 400 * kMiB;
    const auto instruments = instrumentsOf(trial);
    SilentListener listener;
    EXPECT_EQ(TrialMeasurement(trial, *instruments, listener).run().outcome, Outcome::OutOfMemory);
    EXPECT_EQ(instruments->current().allocated, 8519680 + kMiB); // of cuBLAS and, for products with a bias, cublasLt
}

} // namespace
} // namespace headroom::collectors
