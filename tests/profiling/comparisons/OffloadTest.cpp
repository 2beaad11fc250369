// SPDX-License-Identifier: Apache-2.0
//
// Group offload through the real measurement: measured against simulated, against closed forms, and in simulated time.
#include "tests/profiling/comparisons/TracedRun.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/Configurations.h"

#include <gtest/gtest.h>

#include <bit>

namespace headroom::collectors::offload_test {
namespace {

constexpr std::int64_t kLayers = 5;
constexpr std::int64_t kDim = 32;
constexpr std::int64_t kMult = 4;
constexpr Bytes kProjection = 4 * (kDim * kDim * kMult + kDim * kMult); // weight and bias, float32
constexpr Bytes kOutput = 4 * (kDim * kMult * kDim + kDim);
constexpr Bytes kLayer = kProjection + kOutput;

struct Case {
    std::string offload = "off";
    std::string step = "inference";
    std::string checkpointing = "none";
    std::string dtype = "float32";
    std::string splitFfn = "off";
    std::string optimizer = "sgd";
    std::string hostMemory = "auto";

    void set(
        config::Trial& trial, const char* key, const std::string& notation, const config::ValueMap& options = {}) const
    {
        choose(trial.configuration, key, notation, options);
    }
    void setAll(config::Trial& trial) const
    {
        set(trial, "offload", offload,
            offload == "off" ? config::ValueMap{} : config::ValueMap{{"host_memory", hostMemory}});
        set(trial, "optimizer", optimizer);
        split(trial, splitFfn);
        checkpoint(trial, checkpointing);
    }
    config::Trial trial(const std::string& device) const
    {
        config::Trial result =
            trialOf(device, {{"num_layers", kLayers}, {"dim", kDim}, {"mult", kMult}, {"activation_fn", "gelu"}},
                {{"step", step}, {"dtype", dtype}, {"batch", 1}, {"sequence_length", 16}});
        setAll(result);
        return result;
    }
    config::Trial ltx(const std::string& device) const
    {
        config::Trial result =
            trialOfModel("ltx-video-tiny", device, {{"num_layers", 3}}, {{"step", step}, {"dtype", dtype}});
        setAll(result);
        return result;
    }
    std::string text() const
    {
        return offload + ", " + step + ", " + checkpointing + ", " + dtype + ", " + splitFfn + ", " + optimizer;
    }
};

// A number that an op of the update takes is a tensor of 8 bytes on the CPU, and one of 4 in the op's type.
constexpr Bytes kNumberBytes = 12;

void expectNear(std::optional<Bytes> cpu, std::optional<Bytes> simulated, Bytes ofNumbers, const std::string& name)
{
    EXPECT_LE(cpu.value() - simulated.value(), ofNumbers) << name;
    EXPECT_GE(cpu.value() - simulated.value(), 0) << name;
}

void expectEqual(const protocol::RepeatResult& cpu, const protocol::RepeatResult& simulated, const std::string& name,
    Bytes ofNumbers = 0)
{
    ASSERT_EQ(cpu.outcome, Outcome::Completed) << name << ": " << cpu.reason;
    expectNear(cpu.memory.peak.allocated, simulated.memory.peak.allocated, ofNumbers, name);
    EXPECT_EQ(cpu.memory.peak.hostPinned, simulated.memory.peak.hostPinned) << name;
    EXPECT_EQ(cpu.memory.peak.hostPageable, simulated.memory.peak.hostPageable) << name;
    EXPECT_EQ(cpu.memory.resting.allocated, simulated.memory.resting.allocated) << name;
    EXPECT_EQ(cpu.memory.resting.hostPinned, simulated.memory.resting.hostPinned) << name;
    EXPECT_EQ(cpu.memory.resting.hostPageable, simulated.memory.resting.hostPageable) << name;
    EXPECT_EQ(cpu.memory.afterLoad.allocated, simulated.memory.afterLoad.allocated) << name;
    expectNear(cpu.memory.wholeRunPeak.allocated, simulated.memory.wholeRunPeak.allocated, ofNumbers, name);
    EXPECT_EQ(cpu.memory.savedForBackward, simulated.memory.savedForBackward) << name;
    EXPECT_EQ(cpu.engagement, simulated.engagement) << name;
}

TEST(OffloadTest, simulatedPeaksAreTheMeasuredOnesToTheByte)
{
    for (const char* offload : {"block:1", "block:2", "leaf", "model", "block:1+stream", "leaf+stream"})
        for (const char* step : {"inference", "forward_backward", "train"})
            for (const char* dtype : {"float32", "bfloat16"}) {
                const Case tried{.offload = offload, .step = step, .dtype = dtype};
                expectEqual(measured(tried.ltx("cpu")), measured(tried.ltx("sim:cpu")), tried.text());
            }
}

TEST(OffloadTest, simulatedPeaksWithOtherTechniquesAreTheMeasuredOnes)
{
    for (const char* offload : {"block:2", "leaf+stream"})
        for (const char* checkpointing : {"none", "all", "every:2"})
            for (const char* splitFfn : {"off", "4:recompute"}) {
                const Case tried{.offload = offload,
                    .step = "train",
                    .checkpointing = checkpointing,
                    .splitFfn = splitFfn,
                    .optimizer = "adamw:foreach"};
                expectEqual(measured(tried.ltx("cpu")), measured(tried.ltx("sim:cpu")), tried.text(), kNumberBytes);
            }
}

// All layers' activations are alike, so the peak is plain's less the weights that are elsewhere. The first layer's
// input is the batch, which is there anyway: the peak is at another one.
TEST(OffloadTest, theDeviceHoldsOneGroupOrWithAStreamTwo)
{
    const std::map<std::string, Bytes> elsewhere{{"model", 0}, {"block:1", (kLayers - 1) * kLayer},
        {"block:2", (kLayers - 2) * kLayer}, {"block:1+stream", (kLayers - 2) * kLayer}};
    const Bytes plain = peakOf(Case{}.trial("sim:cpu"));
    for (const auto& [notation, bytes] : elsewhere)
        EXPECT_EQ(plain - peakOf(Case{.offload = notation}.trial("sim:cpu")), bytes) << notation;
    const Bytes leaf = peakOf(Case{.offload = "leaf"}.trial("sim:cpu"));
    EXPECT_LT(leaf, peakOf(Case{.offload = "block:1"}.trial("sim:cpu")));
    EXPECT_LE(leaf, peakOf(Case{.offload = "leaf+stream"}.trial("sim:cpu")));
}

TEST(OffloadTest, weightsAreInTheHostPool)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        const protocol::RepeatResult pageable = measured(Case{.offload = "block:1"}.trial(device));
        EXPECT_EQ(pageable.memory.peak.hostPageable, kLayers * kLayer) << device;
        EXPECT_EQ(pageable.memory.peak.hostPinned, 0) << device;
        EXPECT_EQ(pageable.weightBytes, kLayers * kLayer) << device;
        const auto occupied = [](std::int64_t elements) {
            return static_cast<Bytes>(std::bit_ceil(static_cast<std::uint64_t>(4 * elements)));
        };
        const Bytes pinned = kLayers * (2 * occupied(kDim * kDim * kMult) + occupied(kDim * kMult) + occupied(kDim));
        for (const Case& tried : {Case{.offload = "leaf+stream"}, Case{.offload = "leaf", .hostMemory = "pinned"}}) {
            const protocol::RepeatResult result = measured(tried.trial(device));
            EXPECT_EQ(result.memory.peak.hostPinned, pinned) << device;
            EXPECT_EQ(result.memory.peak.hostPageable, 0) << device;
            EXPECT_EQ(result.memory.resting.hostPinned, pinned) << device;
        }
    }
}

TEST(OffloadTest, loadingNeedsLittleOfTheDevice)
{
    config::Trial trial = Case{.offload = "leaf"}.trial("sim:cpu");
    trial.memoryLimitBytes = peakOf(trial);
    EXPECT_LT(*trial.memoryLimitBytes, kLayers * kLayer);
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
    EXPECT_EQ(measured(Case{.step = "inference"}.trial("sim:cpu")).memory.afterLoad.allocated, kLayers * kLayer);
    EXPECT_EQ(result.memory.afterLoad.allocated, 0);
}

TEST(OffloadTest, copiesOnTheDeviceAreWeightsOfTheirModules)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        KeptTrace trace;
        const auto breakdown = traced(Case{.offload = "block:1"}.trial(device), trace).breakdown;
        ASSERT_TRUE(breakdown.has_value()) << device;
        EXPECT_EQ(bytesOf(breakdown->categories, "weights"), kLayer) << device;
        EXPECT_EQ(bytesOf(breakdown->techniques, "offload"), kLayer) << device;
        EXPECT_EQ(bytesOf(breakdown->categories, "unknown"), 0) << device;
        std::vector<Bytes> ofModules;
        for (const protocol::ModuleBytes& module : breakdown->modules)
            if (bytesOf(module.categories, "weights") > 0)
                ofModules.push_back(bytesOf(module.categories, "weights"));
        EXPECT_EQ(ofModules, (std::vector<Bytes>{kProjection, kOutput})) << device;
        EXPECT_TRUE(breakdown->leaks.empty()) << device;
    }
}

TEST(OffloadTest, whatTheBackwardPassFetchesHasAnOwner)
{
    for (const char* offload : {"block:2", "leaf+stream", "model"})
        for (const char* checkpointing : {"none", "all"})
            for (const char* device : {"cpu", "sim:cpu"}) {
                const Case tried{.offload = offload, .step = "train", .checkpointing = checkpointing};
                KeptTrace trace;
                const auto breakdown = traced(tried.ltx(device), trace).breakdown;
                ASSERT_TRUE(breakdown.has_value()) << tried.text();
                EXPECT_EQ(bytesOf(breakdown->categories, "unknown"), 0) << tried.text() << " on " << device;
                EXPECT_TRUE(breakdown->leaks.empty()) << tried.text() << " on " << device;
            }
}

// A model whose layers compute longer than they are copied: with a stream all copies but the first are hidden.
TEST(OffloadTest, aStreamHidesCopiesBehindComputation)
{
    const auto seconds = [](const std::string& offload, std::int64_t tokens) {
        config::Trial trial =
            trialOf("sim:rtx4090", {{"num_layers", 8}, {"dim", 1024}, {"mult", 4}, {"activation_fn", "gelu"}},
                {{"step", "inference"}, {"dtype", "bfloat16"}, {"batch", 1}, {"sequence_length", tokens}});
        Case{.offload = offload}.setAll(trial);
        return measured(trial).stepSeconds.front();
    };
    const double copySeconds =
        simulator::CostModel::of(profiles().device("rtx4090"))->copySeconds(2 * (2 * 4 * 1024 * 1024 + 5 * 1024));
    const double plain = seconds("off", 32768);
    // Pageable memory keeps the host waiting: the launch of each copy, of four tensors a layer, shows too.
    constexpr double kLaunchSeconds = 5e-6;
    EXPECT_NEAR(seconds("block:1", 32768), plain + 8 * (copySeconds + 4 * kLaunchSeconds), 0.05 * copySeconds);
    EXPECT_NEAR(seconds("block:1+stream", 32768), plain + copySeconds, 0.05 * copySeconds);
    // Where computing takes no time, the link is what counts.
    EXPECT_GT(seconds("block:1+stream", 1), 7.9 * copySeconds);
}

TEST(OffloadTest, repetitionsAreHiddenToo)
{
    const auto seconds = [](const std::string& offload) {
        config::Trial trial =
            trialOf("sim:rtx4090", {{"num_layers", 8}, {"dim", 1024}, {"mult", 4}, {"activation_fn", "gelu"}},
                {{"step", "forward_backward"}, {"dtype", "bfloat16"}, {"batch", 1}, {"sequence_length", 32768}});
        Case{.offload = offload, .checkpointing = "all"}.setAll(trial);
        trial.protocol.warmupSteps = 2;
        return measured(trial).stepSeconds.front();
    };
    const double copySeconds =
        simulator::CostModel::of(profiles().device("rtx4090"))->copySeconds(2 * (2 * 4 * 1024 * 1024 + 5 * 1024));
    // Forward and repetition, each eight times; what the backward pass itself fetches is the same for both.
    EXPECT_GT(seconds("block:1") - seconds("block:1+stream"), 12 * copySeconds);
}

} // namespace
} // namespace headroom::collectors::offload_test
