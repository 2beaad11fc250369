// SPDX-License-Identifier: Apache-2.0
//
// Flux measured beside simulated: the small one to the byte under techniques by themselves and together, the full-size
// one by what can be counted.
#include "core/config/Catalogue.h"
#include "core/models/ModelZoo.h"
#include "profiling/collectors/OpCostCollector.h"
#include "tests/profiling/collectors/TechniqueComparison.h"
#include "tests/profiling/collectors/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

using Notations = std::map<std::string, std::string>;

config::Trial fluxTrial(const std::string& device, const std::string& model, const Notations& techniques,
    const config::ValueMap& workload, const config::ValueMap& fields = {})
{
    config::Trial trial = trialOfModel(model, device, fields, workload);
    for (const auto& [key, notation] : techniques)
        trial.configuration.techniques[key] =
            config::makeSetting(config::findTechnique(key, ""), notation, {}, "techniques." + key);
    return trial;
}

std::string wordsOf(const config::Trial& trial)
{
    const auto& workload = trial.configuration.workload;
    return config::toText(workload.step) + ", " + config::toText(workload.dtype) + ": "
        + config::techniqueLabel(trial.configuration);
}

void expectEqualPeaks(const Notations& techniques, const config::ValueMap& workload, const config::ValueMap& fields)
{
    const auto resultOn = [&](const char* device) {
        return measured(fluxTrial(device, "flux-tiny", techniques, workload, fields));
    };
    const protocol::RepeatResult real = resultOn("cpu"), simulated = resultOn("sim:cpu");
    const std::string name = wordsOf(fluxTrial("cpu", "flux-tiny", techniques, workload, fields));
    ASSERT_EQ(real.outcome, protocol::Outcome::Completed) << name << ": " << real.reason;
    ASSERT_EQ(simulated.outcome, protocol::Outcome::Completed) << name << ": " << simulated.reason;
    EXPECT_EQ(simulated.memory.peak.allocated, real.memory.peak.allocated) << name;
    EXPECT_EQ(simulated.memory.savedForBackward, real.memory.savedForBackward) << name;
    EXPECT_EQ(simulated.weightBytes, real.weightBytes) << name;
}

const Notations kCombinations[]{{}, {{"checkpointing", "all"}}, {{"checkpointing", "every:2"}, {"split_ffn", "4"}},
    {{"casting", "e4m3"}, {"trainable", "lora:2"}, {"checkpointing", "all"}},
    {{"offload", "block:1"}, {"ema", "host"}, {"optimizer", "adamw"}},
    {{"checkpointing", "ops"}, {"attention", "math"}, {"split_ffn", "2:recompute"}}};

TEST(FluxMemory, simulatedPeaksAreTheMeasuredOnesToTheByte)
{
    for (const Notations& techniques : kCombinations)
        for (const char* dtype : {"float32", "bfloat16"})
            for (const config::ValueMap& fields :
                {config::ValueMap{}, {{"num_layers", 3}, {"num_single_layers", 4}, {"guidance_embeds", false}}})
                expectEqualPeaks(techniques,
                    {{"step", "train"}, {"dtype", dtype}, {"batch", 2}, {"height", 96}, {"width", 160},
                        {"text_tokens", 12}},
                    fields);
}

TEST(FluxMemory, simulatedPeaksOfInferenceAreTheMeasuredOnesToTheByte)
{
    for (const Notations& techniques : {Notations{}, {{"casting", "e4m3"}}, {{"casting", "e5m2:group"}},
             {{"split_ffn", "4"}}, {{"split_ffn", "tokens:4"}}, {{"offload", "leaf"}}, {{"attention", "math"}}})
        for (const char* dtype : {"float32", "bfloat16"})
            expectEqualPeaks(techniques,
                {{"step", "inference"}, {"dtype", dtype}, {"height", 128}, {"width", 160}, {"text_tokens", 12}}, {});
}

// Of every technique a few ways, in every kind of step.
TEST(FluxMemory, everyTechniqueByItselfIsSimulatedAsItIsMeasured)
{
    CombinationDraw draw(19);
    for (const std::string& key : config::techniqueKeys())
        for (int i = 0; i < 4; ++i) {
            const auto configuration = draw.nextWith({key}, "flux-tiny");
            ASSERT_TRUE(configuration) << key;
            const ComparedCombination compared = compareCombination(*configuration);
            const std::string name = compared.workload + ": " + compared.techniques + " " + compared.reason;
            ASSERT_GT(compared.measuredBytes, 0) << name;
            EXPECT_LE(std::abs(compared.relativeDifference()), 0.005) << name;
            EXPECT_EQ(compared.simulatedHostBytes, compared.measuredHostBytes) << name;
        }
}

double countedFlops(const std::function<void()>& program)
{
    double flops = 0;
    OpCostCollector collector([&](const simulator::OpCost& cost) { flops += cost.flops; });
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(collector);
    const tensor::OpInterceptor::Scope scope(interceptor);
    program();
    return flops;
}

// Attention op by op, which forms each product once in the forward pass and two for it in the backward pass.
TEST(FluxMemory, theFlopsOfAStepAreTheCataloguesClosedForm)
{
    for (const char* name : {"flux-dev", "flux-schnell", "flux-tiny"}) {
        const config::Configuration configuration = config::defaultConfiguration(name, "");
        const auto options = at::TensorOptions(at::kMeta).dtype(at::kFloat);
        const auto model = models::buildModel(configuration, options);
        const models::Inputs inputs = models::makeInputs(configuration, options);
        const auto closedForm = [&](config::StepKind step) {
            return config::findModel(name, "").family->flopsPerStep(
                configuration.modelFields, configuration.workload.shapes, step);
        };
        const double forward = countedFlops([&] {
            const torch::NoGradGuard noGradients;
            model->forward(inputs);
        });
        EXPECT_EQ(forward, closedForm(config::StepKind::Inference)) << name;
        EXPECT_EQ(countedFlops([&] { model->forward(inputs).mean().backward(); }),
            closedForm(config::StepKind::ForwardBackward))
            << name;
    }
}

TEST(FluxMemory, theFullModelsRunOnSimulatedDevices)
{
    for (const char* model : {"flux-dev", "flux-schnell"})
        for (const char* device : {"sim:h100-80gb", "sim:h200@torch-2.5"}) {
            const protocol::RepeatResult result =
                measured(fluxTrial(device, model, {}, {{"step", "inference"}, {"dtype", "bfloat16"}}));
            ASSERT_EQ(result.outcome, protocol::Outcome::Completed) << result.reason;
            EXPECT_EQ(result.weightBytes, std::string(model) == "flux-dev" ? 2 * 11901408320 : 2 * 11891178560);
            EXPECT_TRUE(result.diagnostics.empty()) << result.diagnostics.front();
            EXPECT_GT(result.stepSeconds.at(0), 0);
        }
}

// 24 GiB hold the model in eight bits with adapters and every block checkpointed, and nothing less.
TEST(FluxMemory, adaptersOnACastBaseFitWhereThePlainModelDoesNot)
{
    const config::ValueMap workload{{"step", "train"}, {"dtype", "bfloat16"}, {"height", 512}, {"width", 512}};
    const auto outcome = [&](const Notations& techniques) {
        return measured(fluxTrial("sim:rtx4090", "flux-dev", techniques, workload)).outcome;
    };
    EXPECT_EQ(outcome({{"trainable", "lora:16"}, {"checkpointing", "all"}, {"casting", "e4m3"}}),
        protocol::Outcome::Completed);
    EXPECT_EQ(outcome({{"trainable", "lora:16"}, {"checkpointing", "all"}}), protocol::Outcome::OutOfMemory);
    EXPECT_EQ(outcome({{"trainable", "lora:16"}, {"casting", "e4m3"}}), protocol::Outcome::OutOfMemory);
}

} // namespace
} // namespace headroom::collectors
