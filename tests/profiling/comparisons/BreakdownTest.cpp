// SPDX-License-Identifier: Apache-2.0
//
// The breakdown of the peak of every model, technique and workload, on devices that run and devices that are simulated.
#include "tests/profiling/comparisons/TracedRun.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace headroom::collectors::breakdown_test {
namespace {

using protocol::MemoryBreakdown;

struct Case {
    std::string model = "ffn-stack";
    std::string checkpointing = "none";
    std::string splitFfn = "off";
    std::string accumulate = "in_place";
    config::ValueMap workload{{"step", "train"}};
    bool keepsBaselineOutput = false;
    std::string casting = "off";
    config::ValueMap castingOptions{};
};

config::Trial trialOf(const Case& item, const std::string& device)
{
    config::ValueMap fields;
    config::ValueMap workload = item.workload;
    if (item.model == "ffn-stack") {
        fields = {{"num_layers", 4}, {"dim", 32}, {"mult", 4}};
        workload.insert({{"batch", 2}, {"sequence_length", 24}});
    }
    config::Trial trial = trialOfModel(item.model, device, fields, workload);
    checkpoint(trial, item.checkpointing);
    split(trial, item.splitFfn, item.accumulate);
    cast(trial, item.casting, item.castingOptions);
    trial.protocol.keepBaselineOutput = item.keepsBaselineOutput;
    return trial;
}

std::string textOf(const Case& item, const std::string& device)
{
    std::string text = device + " " + item.model + " checkpointing " + item.checkpointing + " split_ffn "
        + item.splitFfn + " " + item.accumulate;
    text += " casting " + item.casting;
    for (const auto& [key, value] : item.workload)
        text += " " + key + " " + config::toLabel(value);
    return text;
}

void addCasting(const char* model, std::vector<Case>& cases)
{
    const config::ValueMap inference{{"step", "inference"}};
    for (const char* notation : {"e4m3", "e5m2:group", "bf16:block", "e4m3:model"})
        for (const char* split : {"off", "2", "tokens:2"})
            cases.push_back({.model = model, .splitFfn = split, .workload = inference, .casting = notation});
    cases.push_back({.model = model,
        .workload = inference,
        .casting = "e4m3:model",
        .castingOptions = {{"compute_dtype", "bfloat16"}, {"load", "move_then_cast"}}});
    cases.push_back({.model = model, .workload = inference, .casting = "e4m3", .castingOptions = {{"prefetch", true}}});
    cases.push_back({.model = model, .workload = inference, .keepsBaselineOutput = true, .casting = "e4m3"});
}

std::vector<Case> cases()
{
    std::vector<Case> result;
    for (const char* model : {"ffn-stack", "ltx-video-tiny"}) {
        for (const char* checkpointing : {"none", "all", "every:2", "every:2@1", "except:2", "blocks:0", "skip:1",
                 "strategy:all_but_last", "ops", "ops:mm/2", "all+offload", "ops+offload"})
            result.push_back({.model = model, .checkpointing = checkpointing});
        for (const char* split : {"2", "4", "2:recompute", "tokens:2"})
            for (const char* checkpointing : {"none", "all"})
                result.push_back({.model = model, .checkpointing = checkpointing, .splitFfn = split});
        result.push_back({.model = model, .splitFfn = "2", .accumulate = "out_of_place"});
        result.push_back({.model = model, .splitFfn = "tokens:2", .accumulate = "out_of_place"});
        for (const char* step : {"inference", "forward_backward", "train"})
            for (const char* gradients : {"set_to_none", "zero", "keep"})
                result.push_back({.model = model, .workload = {{"step", step}, {"gradients", gradients}}});
        result.push_back({.model = model, .workload = {{"step", "train"}, {"accumulate", 2}}});
        result.push_back({.model = model, .workload = {{"step", "train"}, {"loss", "mse"}, {"clip_grad_norm", 1.0}}});
        result.push_back({.model = model, .workload = {{"step", "train"}, {"dtype", "bfloat16"}}});
        result.push_back({.model = model, .checkpointing = "all", .keepsBaselineOutput = true});
        addCasting(model, result);
    }
    return result;
}

Bytes sumOf(const std::map<std::string, Bytes>& bytes)
{
    return std::accumulate(
        bytes.begin(), bytes.end(), Bytes{0}, [](Bytes sum, const auto& item) { return sum + item.second; });
}

Bytes sumOf(const std::vector<protocol::ModuleBytes>& modules)
{
    return std::accumulate(
        modules.begin(), modules.end(), Bytes{0}, [](Bytes sum, const auto& module) { return sum + module.bytes; });
}

// On a device that rounds, a block may be larger than what was asked for.
void expectRequests(const protocol::RepeatResult& result, const std::string& device)
{
    ASSERT_TRUE(result.breakdown->requestedBytes);
    const Bytes requested = *result.breakdown->requestedBytes;
    if (device == "sim:a100-80gb") {
        EXPECT_LT(requested, result.breakdown->totalBytes);
        EXPECT_LE(requested, *result.memory.peak.requested);
        EXPECT_GT(requested, 0);
    } else {
        EXPECT_EQ(requested, result.breakdown->totalBytes);
    }
}

// The same of the weights.
void expectWeights(const MemoryBreakdown& breakdown, Bytes weightBytes, const std::string& device)
{
    const Bytes weights = breakdown.categories.at("weights");
    if (device == "sim:a100-80gb")
        EXPECT_GE(weights, weightBytes);
    else
        EXPECT_EQ(weights, weightBytes);
}

void expectSound(const Case& item, const std::string& device)
{
    SCOPED_TRACE(textOf(item, device));
    KeptTrace trace;
    const protocol::RepeatResult result = traced(trialOf(item, device), trace);
    ASSERT_EQ(result.outcome, Outcome::Completed) << result.reason;
    ASSERT_TRUE(result.breakdown) << testing::PrintToString(result.diagnostics);
    const MemoryBreakdown& breakdown = *result.breakdown;
    EXPECT_EQ(breakdown.totalBytes, result.memory.peak.allocated);
    EXPECT_EQ(breakdown.categories.size(), config::kMemoryCategoryCount);
    EXPECT_EQ(sumOf(breakdown.categories), breakdown.totalBytes);
    EXPECT_EQ(sumOf(breakdown.modules), breakdown.totalBytes);
    EXPECT_EQ(sumOf(breakdown.techniques), breakdown.totalBytes);
    EXPECT_LT(breakdown.categories.at("unknown") * 100, breakdown.totalBytes);
    EXPECT_TRUE(breakdown.leaks.empty()) << breakdown.leaks.front().category;
    expectWeights(breakdown, *result.weightBytes, device);
    expectRequests(result, device);
    ASSERT_TRUE(result.memory.phasePeaks.contains(breakdown.phase)) << breakdown.phase;
    EXPECT_EQ(result.memory.phasePeaks.at(breakdown.phase).allocated, breakdown.totalBytes);
}

TEST(BreakdownTest, sumsToThePeakOfTheCpu)
{
    for (const Case& item : cases())
        expectSound(item, "cpu");
}

TEST(BreakdownTest, sumsToThePeakOfASimulatedCpu)
{
    for (const Case& item : cases())
        expectSound(item, "sim:cpu");
}

TEST(BreakdownTest, sumsToThePeakOfASimulatedGpu)
{
    for (const Case& item : cases())
        expectSound(item, "sim:a100-80gb");
}

TEST(BreakdownTest, isTheSameMeasuredAndSimulated)
{
    for (const Case& item : cases()) {
        SCOPED_TRACE(textOf(item, "cpu, sim:cpu"));
        KeptTrace measuredTrace;
        KeptTrace simulatedTrace;
        const auto measured = traced(trialOf(item, "cpu"), measuredTrace);
        const auto simulated = traced(trialOf(item, "sim:cpu"), simulatedTrace);
        ASSERT_TRUE(measured.breakdown && simulated.breakdown);
        EXPECT_EQ(measured.breakdown->categories, simulated.breakdown->categories);
        EXPECT_EQ(measured.breakdown->techniques, simulated.breakdown->techniques);
        EXPECT_EQ(measured.breakdown->phase, simulated.breakdown->phase);
    }
}

} // namespace
} // namespace headroom::collectors::breakdown_test
