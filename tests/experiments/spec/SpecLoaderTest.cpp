// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"

#include <gtest/gtest.h>

namespace headroom::experiments {
namespace {

TEST(SpecLoaderTest, readsEveryTable)
{
    const std::string toml = R"(
name = "published"
title = "A title"
description = "What it is for"
[model]
name = "ffn-stack-tiny"
num_layers = 3
[workload]
step = "train"
dtype = "bfloat16"
batch = 4
clip_grad_norm = 1
[techniques.split_ffn]
notation = "4"
accumulate = "out_of_place"
[device]
name = "sim:a100-80gb@torch-2.5"
memory_limit_bytes = 1000
[protocol]
warmup_steps = 1
steps = 7
repeats = 2
keep_baseline_output = true
timeout_seconds = 2.5
)";
    const ExperimentSpec spec = loadSpecText(toml, "spec.toml", {});
    EXPECT_EQ(spec.name, "published");
    EXPECT_EQ(spec.title, "A title");
    EXPECT_EQ(spec.description, "What it is for");
    EXPECT_EQ(spec.source, "spec.toml");
    EXPECT_EQ(spec.toml, toml);
    const auto trials = expand(spec);
    ASSERT_EQ(trials.size(), 1u);
    const config::Trial& trial = trials[0].trial;
    EXPECT_EQ(trial.configuration.modelFields.at("num_layers"), config::Value(3));
    EXPECT_EQ(trial.configuration.modelFields.at("dim"), config::Value(16));
    EXPECT_EQ(trial.configuration.workload.step, config::StepKind::Train);
    EXPECT_EQ(trial.configuration.workload.dtype, config::Dtype::BFloat16);
    EXPECT_EQ(trial.configuration.workload.shapes.at("batch"), config::Value(4));
    EXPECT_EQ(trial.configuration.workload.clipGradNorm, 1.0);
    EXPECT_EQ(trial.configuration.techniques.at("split_ffn").notation, "4");
    EXPECT_EQ(trial.configuration.techniques.at("split_ffn").options.at("accumulate"), config::Value("out_of_place"));
    EXPECT_EQ(trial.device.notation(), "sim:a100-80gb@torch-2.5");
    EXPECT_EQ(trial.memoryLimitBytes, 1000);
    EXPECT_EQ(trial.protocol.warmupSteps, 1);
    EXPECT_EQ(trial.protocol.steps, 7);
    EXPECT_EQ(trial.protocol.repeats, 2);
    EXPECT_TRUE(trial.protocol.keepBaselineOutput);
    EXPECT_FALSE(trial.protocol.keepBaselineModel);
    EXPECT_EQ(trials[0].timeout, std::chrono::milliseconds(2500));
}

TEST(SpecLoaderTest, timeoutIsNoPartOfTheIds)
{
    const std::string model = "[model]\nname = \"ffn-stack-tiny\"\n";
    const auto plain = expand(loadSpecText(model, "a", {}));
    const auto limited = expand(loadSpecText(model + "[protocol]\ntimeout_seconds = 1", "a", {}));
    EXPECT_FALSE(plain[0].timeout.has_value());
    EXPECT_EQ(plain[0].trialId, limited[0].trialId);
}

TEST(SpecLoaderTest, namesASpecWithoutNameAdhoc)
{
    EXPECT_EQ(loadSpecText("", "spec.toml", {}).name, "adhoc");
    EXPECT_EQ(loadOverrides({}).name, "adhoc");
    SpecOverrides overrides;
    overrides.setName("mine");
    EXPECT_EQ(loadSpecText("name = \"its\"", "spec.toml", overrides).name, "mine");
}

TEST(SpecLoaderTest, laysEachPartOverTheTopLevel)
{
    const auto trials = expand(loadSpecText(R"(
[model]
name = "ffn-stack-tiny"
[workload]
batch = 3
[[part]]
workload.step = "inference"
[[part]]
model.num_layers = 1
workload = { step = "train", batch = 5 }
techniques = { split_ffn = ["off", "2"] }
)",
        "spec.toml", {}));
    ASSERT_EQ(trials.size(), 3u);
    EXPECT_EQ(trials[0].trial.configuration.workload.step, config::StepKind::Inference);
    EXPECT_EQ(trials[0].trial.configuration.workload.shapes.at("batch"), config::Value(3));
    EXPECT_EQ(trials[0].trial.configuration.modelFields.at("num_layers"), config::Value(2));
    EXPECT_EQ(trials[1].trial.configuration.workload.step, config::StepKind::Train);
    EXPECT_EQ(trials[1].trial.configuration.workload.shapes.at("batch"), config::Value(5));
    EXPECT_EQ(trials[1].trial.configuration.modelFields.at("num_layers"), config::Value(1));
    EXPECT_EQ(trials[2].trial.configuration.techniques.at("split_ffn").notation, "2");
}

TEST(SpecLoaderTest, overridesWinOverTheTopLevelAndEveryPart)
{
    SpecOverrides overrides;
    overrides.assign("workload.batch=7");
    const auto trials = expand(loadSpecText(R"(
model.name = "ffn-stack-tiny"
workload.batch = 1
[[part]]
model.num_layers = 1
[[part]]
model.num_layers = 2
workload.batch = 2
)",
        "spec.toml", overrides));
    ASSERT_EQ(trials.size(), 2u);
    for (const PlannedTrial& planned : trials)
        EXPECT_EQ(planned.trial.configuration.workload.shapes.at("batch"), config::Value(7));
}

TEST(SpecLoaderTest, canonicalJsonIsEqualForEqualMeaning)
{
    const auto json = [](const char* toml) { return loadSpecText(toml, "spec.toml", {}).canonicalJson(); };
    EXPECT_EQ(json("[model]\nname = \"m\"\ndim = 4"), json("model.dim = 4  # comment\nmodel.name = \"m\""));
    EXPECT_NE(json("[model]\nname = \"m\"\ndim = 4"), json("[model]\nname = \"m\"\ndim = 5"));
    EXPECT_EQ(json("name = \"x\"\n[model]\nname = \"m\"\n[[exclude]]\nmodel.dim = 4\nreason = \"r\""),
        R"({"exclude":[{"reason":"r","settings":{"model.dim":4}}],"name":"x","parts":[{"model.name":"m"}]})");
}

} // namespace
} // namespace headroom::experiments
