// SPDX-License-Identifier: Apache-2.0
//
// Checkpointing through the real measurement: measured against simulated, and against closed forms.
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors::checkpointing_test {
namespace {

constexpr std::int64_t kLayers = 6;
constexpr std::int64_t kDim = 32;
constexpr std::int64_t kMult = 4;
constexpr std::int64_t kTokens = 2 * 96;

const char* const kPolicies[]{
    "none", "all", "every:1", "every:2", "every:3@2", "except:3", "blocks:0-1.4", "skip:2-4", "strategy:all_but_last"};

struct Case {
    std::string checkpointing = "none";
    std::string splitFfn = "off";
    std::string step = "forward_backward";
    std::string dtype = "float32";
    std::string activation = "gelu";
    double dropout = 0;
    int accumulate = 1;

    config::Trial trial(const std::string& device) const
    {
        config::Trial result = trialOf(device,
            {{"num_layers", kLayers}, {"dim", kDim}, {"mult", kMult}, {"activation_fn", activation},
                {"dropout", dropout}},
            {{"step", step}, {"dtype", dtype}, {"batch", 2}, {"sequence_length", 96}, {"accumulate", accumulate}});
        split(result, splitFfn);
        checkpoint(result, checkpointing);
        return result;
    }
    std::string text() const
    {
        return checkpointing + ", " + splitFfn + ", " + step + ", " + dtype + ", " + activation;
    }
};

void expectEqualPeaks(const Case& tried)
{
    const protocol::RepeatResult cpu = measured(tried.trial("cpu")), simulated = measured(tried.trial("sim:cpu"));
    ASSERT_TRUE(cpu.memory.peak.allocated.has_value()) << tried.text() << ": " << cpu.reason;
    EXPECT_EQ(cpu.memory.peak.allocated, simulated.memory.peak.allocated) << tried.text();
    EXPECT_EQ(cpu.memory.savedForBackward, simulated.memory.savedForBackward) << tried.text();
    EXPECT_EQ(cpu.memory.resting.allocated, simulated.memory.resting.allocated) << tried.text();
    EXPECT_EQ(cpu.engagement, simulated.engagement) << tried.text();
}

TEST(CheckpointingTest, simulatedPeaksAreTheMeasuredOnesToTheByte)
{
    for (const char* policy : kPolicies)
        for (const char* step : {"forward_backward", "train"})
            for (const char* dtype : {"float32", "bfloat16"})
                expectEqualPeaks({.checkpointing = policy, .step = step, .dtype = dtype});
}

TEST(CheckpointingTest, simulatedPeaksOfSplitLayersAreTheMeasuredOnesToTheByte)
{
    for (const char* policy : {"none", "all", "every:2"})
        for (const char* splitFfn : {"4", "4:recompute", "tokens:4"})
            for (const char* activation : {"gelu", "geglu", "swiglu"})
                expectEqualPeaks({.checkpointing = policy, .splitFfn = splitFfn, .activation = activation});
}

TEST(CheckpointingTest, simulatedPeaksWithMicroStepsAreTheMeasuredOnesToTheByte)
{
    for (const char* policy : {"all", "except:2"})
        expectEqualPeaks({.checkpointing = policy, .step = "train", .accumulate = 3});
}

TEST(CheckpointingTest, everyFirstBlockIsAllBlocks)
{
    for (const char* device : {"cpu", "sim:cpu", "sim:a100-80gb"}) {
        const protocol::RepeatResult all = measured(Case{.checkpointing = "all"}.trial(device));
        const protocol::RepeatResult every = measured(Case{.checkpointing = "every:1"}.trial(device));
        EXPECT_EQ(every.memory.peak.allocated, all.memory.peak.allocated);
        EXPECT_EQ(every.memory.peak.reserved, all.memory.peak.reserved);
        EXPECT_EQ(every.memory.savedForBackward, all.memory.savedForBackward);
        EXPECT_EQ(every.engagement, all.engagement);
        EXPECT_EQ(every.engagement.at("checkpointing").at("blocks_recomputed"), kLayers);
    }
}

// In units of one [tokens, dim] tensor of floats: a checkpointed layer leaves its input, another one the two tensors of
// mult times that size inside as well. The first layer's input is the batch, which does not count.
TEST(CheckpointingTest, whatIsSavedIsEachInputOnceAndWhatOtherBlocksSave)
{
    const std::map<std::string, std::int64_t> plainBlocks{{"none", kLayers}, {"all", 0}, {"every:2", kLayers / 2},
        {"blocks:0-1.4", kLayers - 3}, {"strategy:all_but_last", 1}};
    for (const auto& [policy, plain] : plainBlocks)
        EXPECT_EQ(measured(Case{.checkpointing = policy}.trial("sim:cpu")).memory.savedForBackward,
            (kLayers - 1 + plain * 2 * kMult) * kTokens * kDim * 4)
            << policy;
}

TEST(CheckpointingTest, recomputedSlicesLeaveTheLayersInputs)
{
    for (const char* policy : {"none", "all"})
        EXPECT_EQ(
            measured(Case{.checkpointing = policy, .splitFfn = "4:recompute"}.trial("sim:cpu")).memory.savedForBackward,
            (kLayers - 1) * kTokens * kDim * 4);
}

// The backward pass begins with the last block, whose activations are there then whether it is repeated or not.
TEST(CheckpointingTest, leavingOutTheLastBlockCostsNothingAtThePeak)
{
    for (const char* device : {"cpu", "sim:cpu"})
        EXPECT_EQ(peakOf(Case{.checkpointing = "strategy:all_but_last"}.trial(device)),
            peakOf(Case{.checkpointing = "all"}.trial(device)));
}

TEST(CheckpointingTest, everyOtherBlockThatIsLeftOutCostsMemory)
{
    Bytes previous = 0;
    for (const char* policy : {"all", "skip:1", "skip:1.3", "skip:0-1.3", "skip:0-4", "none"}) {
        const Bytes peak = peakOf(Case{.checkpointing = policy}.trial("sim:cpu"));
        EXPECT_GT(peak, previous) << policy;
        previous = peak;
    }
}

// The cost model sees the repeated ops; every block costs the same.
TEST(CheckpointingTest, simulatedTimeGrowsWithEachRecomputedBlock)
{
    const auto seconds = [](const char* policy) {
        return measured(Case{.checkpointing = policy}.trial("sim:a100-80gb")).stepSeconds.front();
    };
    const double none = seconds("none"), one = seconds("blocks:2") - none;
    EXPECT_GT(one, 0);
    EXPECT_NEAR(seconds("blocks:1-3") - none, 3 * one, 0.02 * one);
}

TEST(CheckpointingTest, inferenceDoesNotTouchIt)
{
    const protocol::RepeatResult all = measured(Case{.checkpointing = "all", .step = "inference"}.trial("sim:cpu"));
    EXPECT_EQ(all.memory.peak.allocated, peakOf(Case{.step = "inference"}.trial("sim:cpu")));
    EXPECT_EQ(all.engagement.at("checkpointing").at("blocks_checkpointed"), 0);
}

TEST(CheckpointingTest, countersAreThoseOfOneStepWithItsMicroSteps)
{
    const auto counters =
        measured(Case{.checkpointing = "every:2", .step = "train", .dropout = 0.1, .accumulate = 2}.trial("cpu"))
            .engagement.at("checkpointing");
    EXPECT_EQ(counters.at("blocks_checkpointed"), kLayers);
    EXPECT_EQ(counters.at("blocks_recomputed"), kLayers);
}

TEST(CheckpointingTest, runningOutInARepetitionIsOutOfMemory)
{
    config::Trial trial = Case{.checkpointing = "all"}.trial("sim:cpu");
    trial.memoryLimitBytes = peakOf(trial) - 1;
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.phase, "backward");
}

} // namespace
} // namespace headroom::collectors::checkpointing_test
