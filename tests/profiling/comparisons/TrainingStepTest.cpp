// SPDX-License-Identifier: Apache-2.0
//
// What is trained, the optimizer, mixed precision: measured against simulated, and whose the memory is.
#include "tests/profiling/comparisons/TracedRun.h"

#include "tests/support/Configurations.h"

#include <gtest/gtest.h>

#include <numeric>

namespace headroom::collectors::training_step_test {
namespace {

/// A training step with techniques and their options.
struct Case {
    std::string model = "ffn-stack";
    std::map<std::string, std::string> techniques;
    std::map<std::string, config::ValueMap> options{};
    config::ValueMap workload{};
};

config::Trial trialOf(const Case& item, const std::string& device)
{
    config::ValueMap workload = item.workload;
    workload.insert({"step", "train"});
    config::ValueMap fields;
    if (item.model == "ffn-stack") {
        fields = {{"num_layers", 3}, {"dim", 32}, {"mult", 4}};
        workload.insert({{"batch", 2}, {"sequence_length", 24}});
    }
    config::Trial trial = trialOfModel(item.model, device, fields, workload);
    for (const auto& [key, notation] : item.techniques) {
        const auto options = item.options.find(key);
        choose(
            trial.configuration, key, notation, options == item.options.end() ? config::ValueMap{} : options->second);
    }
    return trial;
}

std::string textOf(const Case& item)
{
    std::string text = item.model + " " + config::techniqueLabel(trialOf(item, "cpu").configuration);
    for (const auto& [key, value] : item.workload)
        text += ", " + key + " " + config::toLabel(value);
    return text;
}

std::vector<Case> optimizerCases()
{
    std::vector<Case> result;
    for (const char* model : {"ffn-stack", "ltx-video-tiny"})
        for (const char* form : {"", ":foreach", ":fused"}) {
            result.push_back({model, {{"optimizer", std::string("sgd") + form}}});
            result.push_back({model, {{"optimizer", std::string("sgd") + form}},
                {{"optimizer", {{"momentum", 0.9}, {"weight_decay", 0.1}}}}});
            result.push_back({model, {{"optimizer", std::string("adamw") + form}}});
            result.push_back(
                {model, {{"optimizer", std::string("adamw") + form}}, {}, {{"dtype", "bfloat16"}, {"accumulate", 2}}});
        }
    for (const char* form : {"", ":foreach"})
        for (const auto& [dtype, state] : {std::pair("float32", "bfloat16"), std::pair("bfloat16", "float32")})
            result.push_back({"ffn-stack", {{"optimizer", std::string("adamw") + form}},
                {{"optimizer", {{"state_dtype", state}}}}, {{"dtype", dtype}}});
    return result;
}

std::vector<Case> adapterCases()
{
    std::vector<Case> result;
    for (const char* model : {"ffn-stack", "ltx-video-tiny"}) {
        for (const char* dtype : {"float32", "bfloat16"})
            for (const char* step : {"inference", "forward_backward", "train"})
                result.push_back({model, {{"trainable", "lora:4"}}, {}, {{"dtype", dtype}, {"step", step}}});
        result.push_back({model, {{"trainable", "none"}}, {}, {{"step", "inference"}}});
        result.push_back({model, {{"trainable", "lora:4"}, {"optimizer", "adamw"}}});
        result.push_back({model, {{"trainable", "lora:4"}}, {{"trainable", {{"dropout", 0.25}, {"alpha", 8.0}}}}});
        for (const char* split : {"4", "4:recompute", "tokens:4"})
            result.push_back({model, {{"trainable", "lora:4"}, {"split_ffn", split}, {"checkpointing", "every:2"}},
                {{"trainable", {{"target_modules", config::Value::List{"net.0.proj", "net.2"}}}}}});
    }
    return result;
}

std::vector<Case> autocastCases()
{
    std::vector<Case> result;
    for (const char* model : {"ffn-stack", "ltx-video-tiny"})
        for (const char* autocast : {"bfloat16", "float16"}) {
            for (const char* step : {"inference", "forward_backward", "train"})
                result.push_back({model, {}, {}, {{"autocast", autocast}, {"step", step}}});
            result.push_back({model, {{"optimizer", "adamw:foreach"}, {"checkpointing", "all"}}, {},
                {{"autocast", autocast}, {"accumulate", 2}, {"clip_grad_norm", 1.0}, {"loss", "mse"}}});
            result.push_back({model, {{"trainable", "lora:2"}}, {}, {{"autocast", autocast}}});
            for (const char* split : {"4", "4:recompute", "tokens:4"})
                result.push_back({model, {{"split_ffn", split}}, {}, {{"autocast", autocast}}});
        }
    return result;
}

// Weights in 16 bits under autocast, and adapters in float32 over them, in every family.
std::vector<Case> sixteenBitCases()
{
    const config::ValueMap float32{{"dtype", "float32"}};
    std::vector<Case> result;
    for (const char* model :
        {"ffn-stack", "ltx-video-tiny", "flux-tiny", "wan-tiny", "cogvideox-tiny", "llama-tiny", "t5-v1.1-tiny"}) {
        const config::ValueMap workload{{"dtype", "bfloat16"}, {"autocast", "bfloat16"}};
        result.push_back({model, {}, {}, workload});
        result.push_back({model, {}, {}, {{"autocast", "bfloat16"}}});
        result.push_back({model, {}, {}, {{"dtype", "bfloat16"}, {"autocast", "bfloat16"}, {"step", "inference"}}});
        result.push_back({model, {{"checkpointing", "all"}, {"optimizer", "adamw"}}, {}, workload});
        result.push_back(
            {model, {{"trainable", "lora:2"}, {"optimizer", "adamw"}}, {{"trainable", float32}}, workload});
        result.push_back({model, {{"trainable", "lora:2"}}, {{"trainable", float32}}, {{"dtype", "bfloat16"}}});
    }
    return result;
}

std::vector<Case> stepCases()
{
    std::vector<Case> result;
    for (const char* model : {"ffn-stack", "ltx-video-tiny"})
        for (const char* gradients : {"set_to_none", "zero", "keep"})
            for (const int accumulate : {1, 3})
                result.push_back({model, {{"optimizer", "adamw"}}, {},
                    {{"gradients", gradients}, {"accumulate", accumulate}, {"clip_grad_norm", 0.5}}});
    return result;
}

void expectSamePeak(const Case& item)
{
    SCOPED_TRACE(textOf(item));
    const protocol::RepeatResult measuredOne = measured(trialOf(item, "cpu"));
    const protocol::RepeatResult simulated = measured(trialOf(item, "sim:cpu"));
    ASSERT_EQ(measuredOne.outcome, Outcome::Completed) << measuredOne.reason;
    ASSERT_EQ(simulated.outcome, Outcome::Completed) << simulated.reason;
    EXPECT_EQ(simulated.memory.resting.allocated, measuredOne.memory.resting.allocated);
    EXPECT_EQ(simulated.memory.peak.allocated, measuredOne.memory.peak.allocated);
    EXPECT_EQ(simulated.memory.firstStepPeak.allocated, measuredOne.memory.firstStepPeak.allocated);
    for (const auto& [phase, peak] : measuredOne.memory.phasePeaks)
        EXPECT_EQ(simulated.memory.phasePeaks.at(phase).allocated, peak.allocated) << phase;
    EXPECT_EQ(simulated.engagement, measuredOne.engagement);
}

TEST(TrainingStepTest, optimizersTakeTheSameBytesMeasuredAndSimulated)
{
    for (const Case& item : optimizerCases())
        expectSamePeak(item);
}

TEST(TrainingStepTest, adaptersTakeTheSameBytesMeasuredAndSimulated)
{
    for (const Case& item : adapterCases())
        expectSamePeak(item);
}

TEST(TrainingStepTest, mixedPrecisionTakesTheSameBytesMeasuredAndSimulated)
{
    for (const Case& item : autocastCases())
        expectSamePeak(item);
}

TEST(TrainingStepTest, sixteenBitWeightsUnderAutocastTakeTheSameBytesMeasuredAndSimulated)
{
    for (const Case& item : sixteenBitCases())
        expectSamePeak(item);
}

// LibTorch's autocast takes no float64, so that slices have nothing to round to either.
TEST(TrainingStepTest, float64UnderAutocastIsNotRoundedInSlices)
{
    for (const char* step : {"inference", "forward_backward"})
        for (const char* split : {"4", "4:recompute", "tokens:4"})
            for (const char* accumulate : {"in_place", "out_of_place"}) {
                const Case item{"ffn-stack", {{"split_ffn", split}}, {{"split_ffn", {{"accumulate", accumulate}}}},
                    {{"dtype", "float64"}, {"autocast", "bfloat16"}, {"step", step}}};
                SCOPED_TRACE(textOf(item));
                const protocol::RepeatResult result = measured(trialOf(item, "cpu"));
                ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
                EXPECT_LT(result.numerics.value().outputRelL2.value(), 1e-12);
            }
}

// The norms give float32 by CUDA's lists, and the step keeps it: without autocast less is saved.
TEST(TrainingStepTest, autocastOver16BitWeightsSavesMoreByTheListsOfCuda)
{
    for (const char* model : {"flux-tiny", "cogvideox-tiny"}) {
        const auto saved = [&](const char* autocast, const char* device) {
            const Case item{model, {}, {}, {{"dtype", "bfloat16"}, {"autocast", autocast}}};
            return measured(trialOf(item, device)).memory.savedForBackward.value();
        };
        EXPECT_GT(saved("bfloat16", "sim:a100-80gb"), saved("off", "sim:a100-80gb")) << model;
        EXPECT_EQ(saved("bfloat16", "sim:cpu"), saved("off", "sim:cpu")) << model << ", by the CPU's";
    }
}

TEST(TrainingStepTest, accumulationAndClippingTakeTheSameBytesMeasuredAndSimulated)
{
    for (const Case& item : stepCases())
        expectSamePeak(item);
}

Bytes sumOf(const std::map<std::string, Bytes>& bytes)
{
    return std::accumulate(
        bytes.begin(), bytes.end(), Bytes{0}, [](Bytes sum, const auto& item) { return sum + item.second; });
}

TEST(TrainingStepTest, everyByteAtThePeakHasAnOwner)
{
    for (const auto& cases : {optimizerCases(), adapterCases(), autocastCases(), sixteenBitCases(), stepCases()})
        for (const Case& item : cases)
            for (const char* device : {"cpu", "sim:cpu", "sim:a100-80gb"}) {
                SCOPED_TRACE(textOf(item) + " on " + device);
                KeptTrace trace;
                const protocol::RepeatResult result = traced(trialOf(item, device), trace);
                ASSERT_TRUE(result.breakdown) << result.reason;
                const protocol::MemoryBreakdown& breakdown = *result.breakdown;
                EXPECT_EQ(breakdown.totalBytes, result.memory.peak.allocated);
                EXPECT_EQ(sumOf(breakdown.categories), breakdown.totalBytes);
                EXPECT_EQ(breakdown.categories.at("unknown"), 0);
                EXPECT_TRUE(breakdown.leaks.empty()) << breakdown.leaks.front().category;
                const bool hasState = bytesOf(breakdown.categories, "optimizer_state") > 0;
                EXPECT_EQ(hasState, result.engagement.at("optimizer").at("state_bytes") > 0);
                if (std::string(device) != "sim:a100-80gb") {
                    EXPECT_EQ(bytesOf(breakdown.categories, "optimizer_state"),
                        result.engagement.at("optimizer").at("state_bytes"));
                }
            }
}

TEST(TrainingStepTest, stateBelongsToTheModuleOfItsParameter)
{
    for (const char* device : {"cpu", "sim:cpu"}) {
        KeptTrace trace;
        const Case item{"ffn-stack", {{"optimizer", "adamw"}}};
        const protocol::RepeatResult result = traced(trialOf(item, device), trace);
        ASSERT_TRUE(result.breakdown);
        Bytes ofProjection = 0;
        for (const auto& [id, owner] : trace.owners)
            if (owner.category == config::MemoryCategory::OptimizerState) {
                EXPECT_EQ(owner.technique, "optimizer");
                ofProjection += owner.module == "layers.1.net.0.proj" ? 1 : 0;
            }
        EXPECT_EQ(ofProjection, 1) << device;
    }
}

// A number that an op takes is a tensor of 8 bytes on the CPU, and one of 4 in the op's type.
constexpr Bytes kNumberBytes = 12;

/// Bytes of the phase "optimizer" over what rests between steps: what the update takes for itself.
Bytes takenByUpdate(const std::string& optimizer, const config::ValueMap& options)
{
    Case item{"ffn-stack", {{"optimizer", optimizer}}, {{"optimizer", options}}, {{"gradients", "zero"}}};
    const protocol::RepeatResult result = measured(trialOf(item, "cpu"));
    return *result.memory.phasePeaks.at("optimizer").allocated - *result.memory.resting.allocated
        - static_cast<Bytes>(sizeof(float)); // the step's loss lives
}

// docs/techniques/optimizer.md has the table. dim 32, inner 128, gated: the largest parameter is the projection's
// weight.
TEST(TrainingStepTest, temporariesOfAnUpdateAreThoseOfTheTable)
{
    const Bytes largest = 4 * 256 * 32;
    const Bytes all = 3 * 4 * (256 * 32 + 256 + 32 * 128 + 32);
    const config::ValueMap none, decay{{"weight_decay", 0.1}}, momentum{{"momentum", 0.9}};
    EXPECT_EQ(takenByUpdate("sgd", none), 0);
    EXPECT_EQ(takenByUpdate("sgd:foreach", none), 0);
    EXPECT_EQ(takenByUpdate("sgd:fused", none), 0);
    EXPECT_EQ(takenByUpdate("sgd", decay), largest);
    EXPECT_EQ(takenByUpdate("sgd:foreach", decay), all);
    EXPECT_EQ(takenByUpdate("sgd:fused", decay), 0);
    EXPECT_EQ(takenByUpdate("sgd", momentum), kNumberBytes);
    EXPECT_EQ(takenByUpdate("adamw", none), largest + kNumberBytes);
    EXPECT_EQ(takenByUpdate("adamw:foreach", none), all + kNumberBytes);
    EXPECT_EQ(takenByUpdate("adamw:fused", none), kNumberBytes);
}

Case frozenUnderAutocast(std::map<std::string, std::string> techniques)
{
    techniques["trainable"] = "lora:4";
    return {"ffn-stack", std::move(techniques), {}, {{"autocast", "bfloat16"}, {"step", "forward_backward"}}};
}

Bytes savedBytes(const Case& item, const std::string& device)
{
    return measured(trialOf(item, device)).memory.savedForBackward.value_or(-1);
}

// A frozen weight's cast is kept like the weight: not at all where that rests elsewhere, and once where slices share
// it.
TEST(TrainingStepTest, castsOfFrozenWeightsAreKeptAsTheWeightsAre)
{
    // bfloat16, without biases; the first layer's projection is not needed, as the batch has no gradient.
    const Bytes castBytes = 2 * (3 * (256 * 32 + 32 * 128) - 256 * 32);
    for (const char* device : {"cpu", "sim:cpu"}) {
        const Bytes plain = savedBytes(frozenUnderAutocast({}), device);
        const Bytes offloaded = savedBytes(frozenUnderAutocast({{"offload", "block:1"}}), device);
        EXPECT_EQ(plain - offloaded, castBytes) << device;
        const Bytes split = savedBytes(frozenUnderAutocast({{"split_ffn", "tokens:4"}}), device);
        EXPECT_LE(split, plain + castBytes / 10) << device;
    }
}

TEST(TrainingStepTest, castsThatAreMadeAgainGiveTheSameGradients)
{
    for (const char* model : {"ffn-stack", "ltx-video-tiny"})
        for (const char* offload : {"block:1", "leaf"}) {
            Case item = frozenUnderAutocast({{"offload", offload}});
            item.model = model;
            const config::Trial trial = trialOf(item, "cpu");
            SilentListener listener;
            const auto instruments = instrumentsOf(trial);
            const protocol::RepeatResult result = TrialMeasurement(trial, *instruments, listener).run();
            ASSERT_TRUE(result.numerics) << testing::PrintToString(result.diagnostics);
            EXPECT_EQ(result.numerics->outputMaxAbs, 0.0) << model << ", " << offload;
            EXPECT_EQ(result.numerics->gradNormRelDiff, 0.0) << model << ", " << offload;
        }
}

TEST(TrainingStepTest, theNumbersOfALoraTrialAndItsBaselineAreTheSame)
{
    Case item{"ffn-stack", {{"trainable", "lora:4"}, {"checkpointing", "all"}}};
    SilentListener listener;
    const config::Trial trial = trialOf(item, "cpu");
    const auto instruments = instrumentsOf(trial);
    const protocol::RepeatResult result = TrialMeasurement(trial, *instruments, listener).run();
    ASSERT_TRUE(result.numerics) << testing::PrintToString(result.diagnostics);
    EXPECT_EQ(result.numerics->outputMaxAbs, 0.0);
    EXPECT_EQ(result.numerics->gradNormRelDiff, 0.0) << "the same adapters, drawn again";
    ASSERT_TRUE(result.numerics->gradNorm);
    EXPECT_GT(*result.numerics->gradNorm, 0.0);
}

} // namespace
} // namespace headroom::collectors::training_step_test
