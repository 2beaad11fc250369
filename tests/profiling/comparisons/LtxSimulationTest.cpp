// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LtxVideoFamily.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

#include <map>

namespace headroom::collectors::ltx_simulation_test {
namespace {

constexpr const char* kOlder = "sim:a100-80gb@torch-2.5";
constexpr const char* kCurrent = "sim:a100-80gb@torch-2.11";

double gibibytes(Bytes bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

config::Trial ltxTrial(const std::string& device, const std::string& policy, const config::ValueMap& fields = {},
    config::ValueMap workload = {})
{
    workload.insert({{"step", "forward_backward"}, {"dtype", "bfloat16"}, {"loss", "mean"}, {"gradients", "keep"},
        {"output", "held"}});
    config::Trial trial = trialOfModel("ltx-video-2b", device, fields, workload);
    trial.protocol.warmupSteps = 2;
    checkpoint(trial, policy);
    return trial;
}

// As published: two plain steps in the same process, an emptied cache, then the policy's own steps.
protocol::RepeatResult published(const std::string& policy)
{
    config::Trial trial = ltxTrial(kOlder, policy);
    trial.protocol.plainWarmup = true;
    trial.protocol.steps = 5;
    return measured(trial);
}

/// max_memory_reserved and it/s in huggingface/diffusers, pull request 10611.
struct PublishedRow {
    const char* policy;
    double reservedGiB;
    double stepsPerSecond;
};

constexpr PublishedRow kPublished[]{
    {"none", 26.719, 1.680}, {"all", 9.316, 1.358}, {"every:2", 17.658, 1.539}, {"every:4", 22.188, 1.658}};

TEST(LtxPublishedTableTest, reservedPeaksAreWithinATenthOfAPercent)
{
    for (const PublishedRow& row : kPublished) {
        const protocol::RepeatResult result = published(row.policy);
        ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
        EXPECT_NEAR(gibibytes(result.memory.afterLoad.reserved.value()), 4.025, 0.0005) << row.policy;
        EXPECT_NEAR(gibibytes(result.memory.peak.reserved.value()) / row.reservedGiB, 1.0, 0.001) << row.policy;
    }
}

// The board is not named, so only ratios mean something.
TEST(LtxPublishedTableTest, speedsOfTheCheckpointedRowsKeepTheirRatios)
{
    const auto speedOf = [](const char* policy) { return 1 / published(policy).stepSeconds.at(0); };
    const double all = speedOf("all") / 1.358;
    EXPECT_NEAR(speedOf("every:2") / 1.539 / all, 1.0, 0.03);
    EXPECT_NEAR(speedOf("every:4") / 1.658 / all, 1.0, 0.03);
}

// 12 GiB hold the checkpointed model, but not the plain one that published comparisons warm up with.
TEST(LtxPublishedTableTest, aPlainWarmUpThatDoesNotFitSaysNothingOfThePolicy)
{
    config::Trial trial = ltxTrial(kOlder, "all");
    trial.protocol.plainWarmup = true;
    trial.memoryLimitBytes = 12 * kGiB;
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_NE(result.diagnostics.front().find("no plain warm-up"), std::string::npos);
    EXPECT_NEAR(gibibytes(result.memory.peak.reserved.value()), 9.1, 0.2);

    checkpoint(trial, "every:2");
    const protocol::RepeatResult larger = measured(trial);
    EXPECT_EQ(larger.outcome, Outcome::OutOfMemory);
    EXPECT_NE(larger.phase, "plain_warmup");
}

/// Extents of a small LTX-Video and its batch.
struct Extents {
    std::int64_t batch, heads, headDim, frames, height, width, text;

    config::ValueMap fields(std::int64_t layers) const
    {
        return {{"num_layers", layers}, {"num_attention_heads", heads}, {"attention_head_dim", headDim}};
    }

    config::ValueMap workload() const
    {
        return {{"batch", batch}, {"frames", frames}, {"height", height}, {"width", width}, {"text_tokens", text}};
    }

    std::int64_t tokens() const { return config::ltxLatent(workload()).tokens(); }
};

constexpr Extents kExtents[]{{1, 32, 64, 81, 512, 768, 128}, {1, 8, 64, 17, 96, 160, 48}, {2, 4, 64, 9, 256, 256, 16},
    {3, 2, 128, 1, 96, 96, 32}};

Bytes savedBytes(const char* device, const Extents& extents, std::int64_t layers)
{
    const config::Trial trial = ltxTrial(device, "none", extents.fields(layers), extents.workload());
    return measured(trial).memory.savedForBackward.value();
}

// What autograd keeps of one block in bfloat16, counted op by op. N tokens of D channels, T text tokens per sample, H
// heads: 60 bytes per token and channel, and as many as the three norms of queries and keys keep beside their input.
Bytes blockBytes(const Extents& extents, Bytes normBytes)
{
    const Bytes n = extents.batch * extents.tokens();
    const Bytes d = extents.heads * extents.headDim;
    const Bytes t = extents.batch * extents.text;
    const Bytes heads = extents.batch * extents.heads;
    const Bytes statistics = 5 * 4 * n + 4 * t;
    const Bytes paddedQueries = (extents.tokens() + 31) / 32 * 32;
    const Bytes logsumexp = 4 * heads * (extents.tokens() + paddedQueries);
    const Bytes modulation = 16 * extents.batch * d;
    const Bytes masks = 2 * t * extents.heads; // a copy for each head
    constexpr Bytes kRandomStates = 16 + 8 + 8 + 8;
    return (60 + 3 * normBytes) * n * d + (6 + normBytes) * t * d + statistics + logsumexp + modulation + masks
        + kRandomStates;
}

// Chains of ops keep a float32 copy of the input and the normalised value; one kernel keeps neither.
TEST(LtxSavedForBackwardTest, aBlockKeepsWhatItsOpsSave)
{
    for (const Extents& extents : kExtents) {
        EXPECT_EQ(savedBytes(kOlder, extents, 3) - savedBytes(kOlder, extents, 2), blockBytes(extents, 4 + 2));
        EXPECT_EQ(savedBytes(kCurrent, extents, 3) - savedBytes(kCurrent, extents, 2), blockBytes(extents, 0));
    }
}

// What upstream's model holds at the end of its forward pass on the CPU, counted with Python's hooks over 48 runs; the
// text's mask is copied for each head of each block.
Bytes upstreamHolds(const Extents& extents, std::int64_t layers, Bytes element)
{
    const Bytes b = extents.batch;
    const Bytes n = b * extents.tokens();
    const Bytes d = extents.heads * extents.headDim;
    const Bytes t = b * extents.text;
    const Bytes block = (element == 4 ? 116 : 78) * n * d + 20 * n + 8 * n * extents.heads
        + (element == 4 ? 16 : 12) * t * d + 4 * t + element * t * extents.heads + 8 * element * b * d;
    const Bytes outside = 3 * element * n * d + 2 * element * n + 2 * element * t * d + element * b * (256 + 5 * d);
    const Bytes tables = 8 * n * d;
    return layers * block + outside + element * t * d + tables;
}

TEST(LtxSavedForBackwardTest, onTheCpuItIsWhatUpstreamHolds)
{
    for (const std::size_t shape : {1, 2, 3})
        for (const char* dtype : {"float32", "bfloat16"})
            for (const char* device : {"cpu", "sim:cpu"}) {
                const Extents& extents = kExtents[shape];
                config::ValueMap workload = extents.workload();
                workload["dtype"] = dtype;
                config::Trial trial = ltxTrial(device, "none", extents.fields(2), workload);
                trial.protocol.warmupSteps = 1;
                EXPECT_EQ(measured(trial).memory.savedForBackward.value(),
                    upstreamHolds(extents, 2, std::string(dtype) == "float32" ? 4 : 2))
                    << device << " " << dtype << " " << shape;
            }
}

TEST(LtxSavedForBackwardTest, aCheckpointedBlockKeepsItsInput)
{
    for (const Extents& extents : kExtents) {
        const auto saved = [&](std::int64_t layers) {
            const config::Trial trial = ltxTrial(kOlder, "all", extents.fields(layers), extents.workload());
            return measured(trial).memory.savedForBackward.value();
        };
        EXPECT_EQ(saved(3) - saved(2), 2 * extents.batch * extents.tokens() * extents.heads * extents.headDim);
    }
}

// The runtimes differ in the norms alone: 18 bytes per token and channel of 28 blocks, about 4 GiB.
TEST(LtxSimulationTest, theRuntimeDecidesWhatNormsCost)
{
    const Bytes older = measured(ltxTrial(kOlder, "none")).memory.peak.allocated.value();
    const Bytes current = measured(ltxTrial(kCurrent, "none")).memory.peak.allocated.value();
    EXPECT_NEAR(gibibytes(older - current), 4.2, 0.3);
}

TEST(LtxSimulationTest, everyFirstBlockIsAllBlocks)
{
    const auto every = measured(ltxTrial(kOlder, "every:1"));
    const auto all = measured(ltxTrial(kOlder, "all"));
    EXPECT_EQ(every.memory.peak, all.memory.peak);
    EXPECT_EQ(every.engagement, all.engagement);
    EXPECT_EQ(all.engagement.at("checkpointing").at("blocks_recomputed"), 28);
}

// Each block that is not checkpointed adds what it saves beyond its input, whatever the depth. Requested bytes, as
// allocated ones hold what the allocator does not split off.
TEST(LtxSimulationTest, peaksGrowByTheBlocksThatAreNotCheckpointed)
{
    const Extents extents = kExtents[0];
    const auto peak = [&](const char* policy) {
        return measured(ltxTrial(kOlder, policy, extents.fields(8), extents.workload())).memory.peak.requested.value();
    };
    const Bytes input = 2 * extents.tokens() * extents.heads * extents.headDim;
    constexpr Bytes kOnTheHost = 8 + 8; // seed and offset of the efficient kernel
    EXPECT_EQ(peak("blocks:0-3") - peak("blocks:0-4"), blockBytes(extents, 6) - input - kOnTheHost);
    EXPECT_EQ(peak("blocks:0-2") - peak("blocks:0-3"), blockBytes(extents, 6) - input - kOnTheHost);
}

// Attention on Hopper goes to cuDNN, on Turing to the efficient kernel or to math: every device has to work.
TEST(LtxSimulationTest, everyShippedDeviceRunsIt)
{
    for (const simulator::DeviceProfile& device : profiles().devices())
        for (const char* dtype : {"float32", "bfloat16", "float16"}) {
            const config::Trial trial = ltxTrial("sim:" + device.name, "every:2", kExtents[1].fields(2), [&] {
                config::ValueMap workload = kExtents[1].workload();
                workload["dtype"] = dtype;
                return workload;
            }());
            const protocol::RepeatResult result = measured(trial);
            EXPECT_EQ(result.outcome, Outcome::Completed) << device.name << " " << dtype << result.reason;
        }
}

} // namespace
} // namespace headroom::collectors::ltx_simulation_test
