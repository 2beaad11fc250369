// SPDX-License-Identifier: Apache-2.0
//
// Layerwise casting through the real measurement: measured against simulated, and against closed forms.
#include "tests/profiling/comparisons/TracedRun.h"

#include "tests/support/Configurations.h"

#include <gtest/gtest.h>

namespace headroom::collectors::casting_test {
namespace {

constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kDim = 64;
constexpr std::int64_t kInner = 4 * kDim;
// Two matrices and two biases each.
constexpr std::int64_t kParameters = kLayers * (2 * kDim * kInner + kInner + kDim);
// The larger of a layer's two Linears, weight and bias, in float32; both are multiples of 256 bytes.
constexpr Bytes kLargestLinear = 4 * (kDim * kInner + kInner);

struct Case {
    std::string casting = "off";
    config::ValueMap options{};
    std::string splitFfn = "off";
    std::string dtype = "float32";
    std::string model = "ffn-stack";
    std::int64_t tokens = 96;
    std::string checkpointing = "none";
    std::string step = "inference";

    // Training is that of adapters.
    config::Trial trial(const std::string& device) const
    {
        config::ValueMap fields, workload{{"step", step}, {"dtype", dtype}};
        if (model == "ffn-stack") {
            fields = {{"num_layers", kLayers}, {"dim", kDim}, {"mult", 4}, {"activation_fn", "gelu"}};
            workload.insert({{"batch", 1}, {"sequence_length", tokens}});
        }
        config::Trial result = trialOfModel(model, device, fields, workload);
        split(result, splitFfn);
        checkpoint(result, checkpointing);
        cast(result, casting, options);
        choose(result.configuration, "trainable", step == "inference" ? "all" : "lora:2");
        return result;
    }
    std::string text() const
    {
        return casting + ", " + splitFfn + ", " + dtype + ", " + model + ", " + step + ", " + checkpointing;
    }
};

void expectEqualMemory(const Case& tried)
{
    const protocol::RepeatResult cpu = measured(tried.trial("cpu")), simulated = measured(tried.trial("sim:cpu"));
    ASSERT_TRUE(cpu.memory.peak.allocated.has_value()) << tried.text() << ": " << cpu.reason;
    EXPECT_EQ(cpu.memory.peak.allocated, simulated.memory.peak.allocated) << tried.text();
    EXPECT_EQ(cpu.memory.savedForBackward, simulated.memory.savedForBackward) << tried.text();
    EXPECT_EQ(cpu.memory.resting.allocated, simulated.memory.resting.allocated) << tried.text();
    EXPECT_EQ(cpu.memory.afterLoad.allocated, simulated.memory.afterLoad.allocated) << tried.text();
    EXPECT_EQ(cpu.engagement, simulated.engagement) << tried.text();
    EXPECT_EQ(cpu.weightBytes, simulated.weightBytes) << tried.text();
}

TEST(CastingTest, simulatedPeaksAreTheMeasuredOnesToTheByte)
{
    for (const char* model : {"ffn-stack", "ltx-video-tiny"})
        for (const char* casting : {"e4m3", "e5m2:group", "fp16:block", "e4m3:model"})
            for (const char* dtype : {"float32", "bfloat16"})
                for (const char* splitFfn : {"off", "4", "tokens:4"})
                    expectEqualMemory({.casting = casting, .splitFfn = splitFfn, .dtype = dtype, .model = model});
}

TEST(CastingTest, simulatedPeaksWithOptionsAreTheMeasuredOnesToTheByte)
{
    for (const char* model : {"ffn-stack", "ltx-video-tiny"})
        for (const char* casting : {"e4m3", "e4m3:block"})
            for (const config::ValueMap& options :
                {config::ValueMap{{"prefetch", true}}, {{"compute_dtype", "bfloat16"}}, {{"load", "move_then_cast"}}})
                expectEqualMemory({.casting = casting, .options = options, .model = model});
}

TEST(CastingTest, simulatedPeaksOfTrainingAreTheMeasuredOnesToTheByte)
{
    for (const char* model : {"ffn-stack", "ltx-video-tiny"})
        for (const char* casting : {"e4m3", "e4m3:block", "bf16:model"})
            for (const char* checkpointing : {"none", "all"})
                for (const char* splitFfn : {"off", "2:recompute"})
                    for (const bool recomputes : {false, true})
                        expectEqualMemory({.casting = casting,
                            .options = {{"recompute_casts", recomputes}},
                            .splitFfn = splitFfn,
                            .model = model,
                            .checkpointing = checkpointing,
                            .step = "train"});
}

// The first projection's input needs no gradient; every other matrix is needed for that of its input.
TEST(CastingTest, whatIsSavedForBackwardIncludesTheCopiesUnlessTheyAreCastAgain)
{
    constexpr Bytes kCopies = 4 * (2 * kLayers - 1) * kDim * kInner;
    for (const char* device : {"cpu", "sim:cpu"})
        for (const char* casting : {"e4m3", "e4m3:block", "e4m3:model"}) {
            const auto saved = [&](const char* notation, bool recomputes) {
                const Case tried{
                    .casting = notation, .options = {{"recompute_casts", recomputes}}, .step = "forward_backward"};
                return measured(tried.trial(device)).memory.savedForBackward.value();
            };
            const Bytes plain = saved("off", false);
            EXPECT_EQ(saved(casting, false), plain + kCopies) << casting;
            EXPECT_EQ(saved(casting, true), plain) << casting;
        }
}

// The peak comes once the backward pass has formed its first product, which lets its own copy go.
TEST(CastingTest, copiesThatAutogradKeepsAreNamedAtThePeak)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        const auto copies = [&](bool recomputes) {
            KeptTrace trace;
            const Case tried{
                .casting = "e4m3", .options = {{"recompute_casts", recomputes}}, .step = "forward_backward"};
            const protocol::RepeatResult result = traced(tried.trial(device), trace);
            EXPECT_EQ(bytesOf(result.breakdown.value().techniques, "casting"),
                bytesOf(result.breakdown.value().categories, "upcast_copies"));
            return bytesOf(result.breakdown.value().categories, "upcast_copies");
        };
        EXPECT_EQ(copies(false), 4 * (2 * kLayers - 2) * kDim * kInner) << device;
        EXPECT_LE(copies(true), 2 * kLargestLinear) << device;
    }
}

// The buffer lives from the first layer to the last, so that it is there at the peak, wherever that lies.
TEST(CastingTest, thePeakIsThatOfThePlainModelWithStoredWeightsAndOneBuffer)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        const Bytes plain = peakOf(Case{}.trial(device)) - 4 * kParameters;
        const auto peak = [&](const char* casting, const config::ValueMap& options = {}) {
            return peakOf(Case{.casting = casting, .options = options}.trial(device)) - plain;
        };
        EXPECT_EQ(peak("e4m3"), kParameters + kLargestLinear) << device;
        EXPECT_EQ(peak("bf16"), 2 * kParameters + kLargestLinear) << device;
        EXPECT_EQ(peak("e4m3", {{"prefetch", true}}), kParameters + 2 * kLargestLinear) << device;
        EXPECT_EQ(peak("e4m3:block"), kParameters + 4 * kParameters / kLayers) << device;
        EXPECT_EQ(peak("e4m3:model"), kParameters + 4 * kParameters) << device;
    }
}

TEST(CastingTest, betweenStepsOnlyTheStorageIsThere)
{
    for (const char* casting : {"e4m3", "e4m3:model"})
        for (const char* device : {"cpu", "sim:cpu"}) {
            const protocol::RepeatResult result = measured(Case{.casting = casting}.trial(device));
            EXPECT_EQ(result.weightBytes, kParameters);
            EXPECT_EQ(result.memory.afterLoad.allocated, kParameters);
            EXPECT_EQ(result.memory.resting.allocated, kParameters + 96 * kDim * 4) << "and the batch";
        }
}

// One token, so that nothing later in the run is as large as loading.
TEST(CastingTest, loadingDirectlyTakesTheStorageAndOneLayer)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        const auto wholeRun = [&](const char* order) {
            const Case tried{.casting = "e4m3", .options = {{"load", order}}, .tokens = 1};
            return measured(tried.trial(device)).memory.wholeRunPeak.allocated.value();
        };
        EXPECT_LE(wholeRun("direct"), kParameters + kLargestLinear + 16 * kInner) << device;
        EXPECT_GE(wholeRun("move_then_cast"), 4 * kParameters) << device;
    }
}

TEST(CastingTest, copiesAreNamedInTheBreakdown)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        KeptTrace trace;
        const protocol::RepeatResult result = traced(Case{.casting = "e4m3"}.trial(device), trace);
        ASSERT_TRUE(result.breakdown);
        EXPECT_EQ(bytesOf(result.breakdown->categories, "upcast_copies"), kLargestLinear);
        EXPECT_EQ(bytesOf(result.breakdown->techniques, "casting"), kLargestLinear);
        EXPECT_EQ(bytesOf(result.breakdown->categories, "weights"), kParameters);
    }
}

TEST(CastingTest, aPlainRunBeforehandLeavesTheSameModel)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        config::Trial trial = Case{.casting = "e4m3"}.trial(device);
        const protocol::RepeatResult direct = measured(trial);
        trial.protocol.keepBaselineOutput = true;
        const protocol::RepeatResult after = measured(trial);
        EXPECT_EQ(after.engagement, direct.engagement);
        EXPECT_EQ(after.weightBytes, direct.weightBytes);
        EXPECT_GE(after.memory.wholeRunPeak.allocated, 4 * kParameters);
    }
}

TEST(CastingTest, theDeviationIsThatOfRoundedWeights)
{
    const auto deviation = [](const char* casting) {
        return measured(Case{.casting = casting}.trial("cpu")).numerics.value().outputRelL2;
    };
    EXPECT_GT(deviation("e5m2"), deviation("e4m3"));
    EXPECT_GT(deviation("e4m3"), deviation("bf16"));
    EXPECT_GT(deviation("bf16"), 0);
}

} // namespace
} // namespace headroom::collectors::casting_test
