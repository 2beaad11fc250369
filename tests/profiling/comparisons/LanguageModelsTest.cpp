// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/StepRunner.h"
#include "profiling/collectors/simulated/OpCostCollector.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors::language_models_test {
namespace {

using Settings = std::map<std::string, std::string>;

const char* const kTiny[]{"llama-tiny", "t5-v1.1-tiny"};
const char* const kFull[]{"llama-2-7b", "llama-2-13b", "llama-3-8b", "t5-v1.1-xxl"};

bool hasLogits(const std::string& model)
{
    return model.starts_with("llama");
}

config::Trial trialWith(const std::string& model, const std::string& device, config::ValueMap workload,
    const Settings& techniques = {}, const config::ValueMap& fields = {})
{
    workload.insert({{"loss", hasLogits(model) ? "cross_entropy" : "mean_square"}});
    config::Trial trial = trialOfModel(model, device, fields, workload);
    for (const auto& [key, notation] : techniques)
        trial.configuration.techniques[key] =
            config::makeSetting(config::findTechnique(key, ""), notation, {}, "techniques." + key);
    return trial;
}

std::string textOf(const Settings& techniques)
{
    std::string text;
    for (const auto& [key, notation] : techniques)
        text += key + " " + notation + ", ";
    return text;
}

Bytes completedPeak(const config::Trial& trial)
{
    const protocol::RepeatResult result = measured(trial);
    EXPECT_EQ(result.outcome, protocol::Outcome::Completed) << result.reason;
    return result.memory.peak.allocated.value_or(-1);
}

// Most are equal to the byte. Not: 12 bytes for numbers that an optimizer's op takes, 320 for T5's bucket numbers, and
// what `ops` keeps of T5's biases in 16 bits.
void expectNear(const config::Trial& simulated, const config::Trial& onCpu, const std::string& name)
{
    const auto predicted = static_cast<double>(completedPeak(simulated));
    const auto peak = static_cast<double>(completedPeak(onCpu));
    EXPECT_NEAR(predicted, peak, 0.015 * peak) << name;
}

// Each technique alone, in every form that differs, and combinations.
const Settings kTraining[]{{}, {{"checkpointing", "all"}}, {{"checkpointing", "every:2"}},
    {{"checkpointing", "all+offload"}}, {{"checkpointing", "ops"}}, {{"split_ffn", "4"}},
    {{"split_ffn", "2:recompute"}}, {{"split_ffn", "tokens:2"}}, {{"attention", "math"}}, {{"ema", "device"}},
    {{"ema", "host"}}, {{"offload", "block:1"}}, {{"offload", "leaf"}}, {{"trainable", "lora:2"}},
    {{"optimizer", "adamw"}}, {{"loss_readback", "every_step"}}, {{"input_transfer", "pinned"}},
    {{"trainable", "lora:2"}, {"casting", "e4m3"}, {"checkpointing", "all"}},
    {{"trainable", "lora:2"}, {"casting", "e5m2:group"}, {"split_ffn", "4"}},
    {{"trainable", "lora:2"}, {"offload", "block:1"}, {"checkpointing", "all"}},
    {{"split_ffn", "2:recompute"}, {"checkpointing", "every:2"}, {"optimizer", "adamw:foreach"}},
    {{"checkpointing", "all"}, {"ema", "host"}, {"optimizer", "adamw"}, {"attention", "math"}}};

TEST(LanguageModelsTest, peaksOfTrainingAreTheMeasuredOnes)
{
    for (const char* model : kTiny)
        for (const Settings& techniques : kTraining)
            for (const char* dtype : {"float32", "bfloat16"}) {
                const config::ValueMap workload{{"step", "train"}, {"dtype", dtype}};
                expectNear(trialWith(model, "sim:cpu", workload, techniques),
                    trialWith(model, "cpu", workload, techniques), model + (": " + textOf(techniques)) + dtype);
            }
}

const Settings kInference[]{{}, {{"casting", "e4m3"}}, {{"casting", "e4m3:group"}}, {{"casting", "bf16:model"}},
    {{"split_ffn", "4"}}, {{"offload", "leaf"}}, {{"offload", "model"}}, {{"attention", "flash"}}};

TEST(LanguageModelsTest, peaksOfInferenceAreTheMeasuredOnes)
{
    for (const char* model : kTiny)
        for (const Settings& techniques : kInference)
            for (const char* dtype : {"float32", "bfloat16"}) {
                const config::ValueMap workload{
                    {"step", "inference"}, {"dtype", dtype}, {"batch", 3}, {"sequence_length", 40}};
                expectNear(trialWith(model, "sim:cpu", workload, techniques),
                    trialWith(model, "cpu", workload, techniques), model + (": " + textOf(techniques)) + dtype);
            }
}

class NoPhases final : public training::StepObserver {
    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

double flopsOfStep(const config::Configuration& configuration)
{
    const at::TensorOptions options = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);
    const auto model = models::buildModel(configuration, options);
    techniques::TechniqueStack techniques(configuration);
    techniques.apply(*model);
    double flops = 0;
    OpCostCollector collector([&](const simulator::OpCost& cost) { flops += cost.flops; });
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(collector);
    NoPhases phases;
    training::StepRunner runner(
        *model, techniques.hooks(), configuration.workload, models::makeInputs(configuration, options), phases);
    const tensor::OpInterceptor::Scope scope(interceptor);
    runner.run(0);
    return flops;
}

TEST(LanguageModelsTest, theFlopsOfAStepAreTheCataloguesClosedForm)
{
    for (const char* model : kTiny)
        for (const char* step : {"inference", "forward_backward", "train"})
            for (const char* splitFfn : {"off", "4"}) {
                const config::Configuration configuration = trialWith(model, "sim:cpu",
                    {{"step", step}, {"batch", 3}, {"sequence_length", 11}},
                    {{"split_ffn", splitFfn}}).configuration;
                EXPECT_EQ(flopsOfStep(configuration),
                    config::findModel(model, "").family->flopsPerStep(
                        configuration.modelFields, configuration.workload.shapes, configuration.workload.step))
                    << model << ", " << step << ", " << splitFfn;
            }
}

TEST(LanguageModelsTest, fullSizesRun)
{
    for (const char* model : kFull)
        for (const char* device : {"sim:h200", "sim:rtx4090@torch-2.5"}) {
            const config::Trial inference = trialWith(model, device, {{"step", "inference"}, {"dtype", "bfloat16"}});
            const protocol::RepeatResult forward = measured(inference);
            const bool fits = std::string(device) == "sim:h200" || forward.outcome != protocol::Outcome::OutOfMemory;
            if (!fits) {
                EXPECT_STREQ(model, "llama-2-13b") << "24 GiB hold all but 13 billion parameters";
                continue;
            }
            EXPECT_EQ(forward.outcome, protocol::Outcome::Completed) << model << ' ' << device << ' ' << forward.reason;
            EXPECT_GE(forward.memory.afterLoad.allocated.value_or(0),
                2 * config::findModel(model, "").family->parameters(inference.configuration.modelFields));
            const config::Trial training =
                trialWith(model, device, {{"step", "train"}, {"dtype", "bfloat16"}, {"sequence_length", 1024}},
                    {{"trainable", "lora:16"}, {"checkpointing", "all"}});
            const protocol::RepeatResult step = measured(training);
            EXPECT_EQ(step.outcome, protocol::Outcome::Completed) << model << ' ' << device << ' ' << step.reason;
        }
}

TEST(LanguageModelsTest, everyShippedDeviceRunsThem)
{
    for (const char* model : kTiny)
        for (const simulator::DeviceProfile& device : profiles().devices())
            for (const char* dtype : {"float32", "bfloat16", "float16"}) {
                const config::Trial trial = trialWith(
                    model, "sim:" + device.name, {{"step", "train"}, {"dtype", dtype}}, {{"checkpointing", "every:2"}});
                const protocol::RepeatResult result = measured(trial);
                EXPECT_EQ(result.outcome, protocol::Outcome::Completed)
                    << model << ' ' << device.name << ' ' << dtype << result.reason;
            }
}

} // namespace
} // namespace headroom::collectors::language_models_test
