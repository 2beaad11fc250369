// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/ImpliedStep.h"
#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/PresetCatalogue.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Checkout.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments::implied_step_test {
namespace {

using config::Dtype;
using config::StepKind;

ExperimentSpec specOf(const std::string& toml)
{
    return loadSpecText(toml, "spec.toml", {});
}

std::vector<config::Workload> workloadsOf(const ExperimentSpec& spec)
{
    std::vector<config::Workload> workloads;
    for (const PlannedTrial& planned : expand(spec))
        workloads.push_back(planned.trial.configuration.workload);
    return workloads;
}

config::Workload workloadOf(const std::string& model, const std::string& settings)
{
    return workloadsOf(specOf("model.name = \"" + model + "\"\n" + settings)).front();
}

struct Asked {
    const char* settings;
    StepKind step;
};

class AskedStepTest : public testing::TestWithParam<Asked> { };

TEST_P(AskedStepTest, followsFromWhatIsGiven)
{
    const config::Workload workload = workloadOf("ltx-video-tiny", GetParam().settings);
    EXPECT_EQ(workload.step, GetParam().step);
    EXPECT_EQ(workload.dtype, GetParam().step == StepKind::Train ? Dtype::BFloat16 : Dtype::Float32);
}

constexpr StepKind kInference = StepKind::Inference;
constexpr StepKind kTrain = StepKind::Train;

INSTANTIATE_TEST_SUITE_P(Techniques, AskedStepTest,
    testing::Values(Asked{"", kInference}, Asked{"techniques.trainable = \"all\"", kTrain},
        Asked{"techniques.trainable = \"lora:2\"", kTrain}, Asked{"techniques.trainable = \"none\"", kInference},
        Asked{"techniques.optimizer = \"sgd\"", kTrain}, Asked{"techniques.optimizer = \"adamw\"", kTrain},
        Asked{"techniques.optimizer.lr = 0.5", kTrain}, Asked{"techniques.ema = \"device\"", kTrain},
        Asked{"techniques.ema = \"off\"", kInference}, Asked{"techniques.ema.decay = 0.5", kInference},
        Asked{"techniques.checkpointing = \"all\"", kTrain}, Asked{"techniques.checkpointing = \"none\"", kInference},
        Asked{"techniques.checkpointing = [\"none\", \"all\"]", kTrain},
        Asked{"techniques.checkpointing.early_stop = false", kInference},
        Asked{"techniques.loss_readback = \"every_step\"", kTrain},
        Asked{"techniques.loss_readback = \"never\"", kInference}));

INSTANTIATE_TEST_SUITE_P(LeversOfInferenceToo, AskedStepTest,
    testing::Values(Asked{"techniques.casting = [\"off\", \"e4m3\"]", kInference},
        Asked{"techniques.offload = \"block:1\"", kInference}, Asked{"techniques.split_ffn = \"2\"", kInference},
        Asked{"techniques.attention = \"math\"", kInference},
        Asked{"techniques.input_transfer = \"pinned\"", kInference}));

INSTANTIATE_TEST_SUITE_P(Workload, AskedStepTest,
    testing::Values(Asked{"workload.gradients = \"set_to_none\"", kTrain},
        Asked{"workload.gradients = \"keep\"", kTrain}, Asked{"workload.loss = \"mse\"", kTrain},
        Asked{"workload.output = \"held\"", kTrain}, Asked{"workload.output = \"released\"", kTrain},
        Asked{"workload.accumulate = 4", kTrain}, Asked{"workload.accumulate = 1", kInference},
        Asked{"workload.clip_grad_norm = 0.5", kTrain}, Asked{"workload.clip_grad_norm = 0", kInference},
        Asked{"workload.seed = 3", kInference}));

TEST(ImpliedStepTest, whatIsGivenWins)
{
    const std::string lora = "techniques.trainable = \"lora:2\"\nworkload.step = ";
    for (const auto& [text, step] : {std::pair("inference", kInference),
             std::pair("forward_backward", StepKind::ForwardBackward), std::pair("train", kTrain)}) {
        const config::Workload workload = workloadOf("ltx-video-tiny", lora + "\"" + text + "\"");
        EXPECT_EQ(workload.step, step);
        EXPECT_EQ(workload.dtype, Dtype::Float32) << text << ": the dtype follows with the step alone";
    }
    EXPECT_EQ(workloadOf("ltx-video-tiny", "techniques.ema = \"device\"\nworkload.dtype = \"float16\"").dtype,
        Dtype::Float16);
}

TEST(ImpliedStepTest, theDtypeIsThatOfThePublishedWeights)
{
    const std::map<std::string, Dtype> expected{{"ffn-stack", Dtype::Float32}, {"ltx-video-2b", Dtype::BFloat16},
        {"ltx-video-13b", Dtype::BFloat16}, {"flux-dev", Dtype::BFloat16}, {"wan-2.1-14b", Dtype::BFloat16},
        {"cogvideox-2b", Dtype::Float16}, {"cogvideox-5b", Dtype::BFloat16}, {"llama-2-7b", Dtype::BFloat16},
        {"llama-3-8b", Dtype::BFloat16}, {"t5-v1.1-xxl", Dtype::Float32}};
    for (const auto& [model, dtype] : expected)
        EXPECT_EQ(workloadOf(model, "techniques.checkpointing = \"all\"").dtype, dtype) << model;
}

TEST(ImpliedStepTest, eachModelOfAnAxisHasItsOwnDtype)
{
    const auto workloads =
        workloadsOf(specOf("model.name = [\"cogvideox-2b\", \"cogvideox-5b\"]\ntechniques.optimizer = \"adamw\""));
    ASSERT_EQ(workloads.size(), 2u);
    EXPECT_EQ(workloads[0].dtype, Dtype::Float16);
    EXPECT_EQ(workloads[1].dtype, Dtype::BFloat16);
}

TEST(ImpliedStepTest, autocastKeepsItsMasterWeights)
{
    const config::Workload workload =
        workloadOf("ltx-video-tiny", "techniques.optimizer = \"adamw\"\nworkload.autocast = \"bfloat16\"");
    EXPECT_EQ(workload.step, kTrain);
    EXPECT_EQ(workload.dtype, Dtype::Float32);
}

TEST(ImpliedStepTest, aResolvedTrialIsTheOneThatSaysSo)
{
    const std::string lora = "model.name = \"llama-tiny\"\ntechniques.trainable = \"lora:2\"\n";
    const auto implied = expand(specOf(lora));
    const auto explicitly = expand(specOf(lora + "[workload]\nstep = \"train\"\ndtype = \"bfloat16\""));
    EXPECT_EQ(implied.front().trialId, explicitly.front().trialId);
    EXPECT_EQ(implied.front().configId, explicitly.front().configId);
    EXPECT_EQ(implied.front().label, explicitly.front().label);
}

TEST(ImpliedStepTest, everyPartHasItsOwn)
{
    const auto workloads = workloadsOf(specOf("model.name = \"ltx-video-tiny\"\n[[part]]\ntechniques.ema = \"device\"\n"
                                              "[[part]]\ntechniques.split_ffn = \"2\"\n"));
    ASSERT_EQ(workloads.size(), 2u);
    EXPECT_EQ(workloads[0].step, kTrain);
    EXPECT_EQ(workloads[1].step, kInference);
    EXPECT_EQ(workloads[1].dtype, Dtype::Float32);
}

TEST(ImpliedStepTest, saysWhyInTheWordsOfWhoAsked)
{
    const std::string model = "model.name = \"ltx-video-tiny\"\n";
    SpecOverrides flags;
    flags.setTechnique("checkpointing", "all");
    flags.setTechnique("trainable", "lora:2");
    EXPECT_EQ(impliedStep(loadSpecText(model, "spec.toml", flags))->text(),
        "train, because --trainable was given; --step inference asks for the other");
    SpecOverrides assigned;
    assigned.assign("ema=device");
    EXPECT_EQ(impliedStep(loadSpecText(model, "spec.toml", assigned))->text(),
        "train, because --set ema was given; --step inference asks for the other");
    EXPECT_EQ(impliedStep(specOf(model + "techniques.ema = \"device\""))->text(),
        "train, because ema was given; step = \"inference\" asks for the other");
    EXPECT_EQ(impliedStep(specOf(model + "workload.gradients = \"keep\""))->text(),
        "train, because workload.gradients was given; step = \"inference\" asks for the other");
    EXPECT_FALSE(impliedStep(specOf(model + "workload.step = \"train\"\ntechniques.ema = \"device\"")));
    EXPECT_FALSE(impliedStep(specOf(model)));
}

TEST(ImpliedStepTest, aValueThatIsNoneIsRefusedWhereItStands)
{
    for (const char* settings : {"techniques.optimizer = \"adam\"", "workload.accumulate = \"many\"",
             "workload.clip_grad_norm = \"much\"", "techniques.ema = 0.5"}) {
        SCOPED_TRACE(settings);
        const auto error =
            errorOf([&] { expand(specOf(std::string("model.name = \"ltx-video-tiny\"\n") + settings)); });
        ASSERT_TRUE(error);
        EXPECT_THAT(error->where(), testing::StartsWith("spec.toml:2:"));
    }
}

TEST(ImpliedStepTest, noPresetReliesOnIt)
{
    const std::filesystem::path resources = shippedResources();
    for (const Preset& preset : listPresets(resources))
        EXPECT_FALSE(impliedStep(loadPreset(preset.name, resources, {}))) << preset.name;
}

} // namespace
} // namespace headroom::experiments::implied_step_test
