// SPDX-License-Identifier: Apache-2.0
//
// Steps with work on side streams, again and again: the numbers have to be the same each time. A copy that is not
// waited for, or memory that is given to others while a stream still uses it, is another number now and then. To look
// closer on a GPU: PYTORCH_NO_CUDA_MEMORY_CACHING=1 gives memory back at once, and compute-sanitizer watches
// (`compute-sanitizer --tool memcheck test-core-training --gtest_filter=SideStreamRacesTest.*`).
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/StepRunner.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"
#include "tests/support/torch/SilentObserver.h"

#include <gtest/gtest.h>

namespace headroom::training::side_stream_races_test {
namespace {

/// Techniques that work on side streams, by notation.
struct Streams {
    std::string name;
    std::map<std::string, std::string> techniques;
    std::map<std::string, config::ValueMap> options{};
};

std::vector<Streams> everyUseOfSideStreams()
{
    return {{"offload", {{"offload", "block:1+stream"}}}, {"offloaded leaves", {{"offload", "leaf+stream"}}},
        {"casting ahead", {{"casting", "e4m3:block"}, {"trainable", "lora:2"}}, {{"casting", {{"prefetch", true}}}}},
        {"casting offloaded weights ahead", {{"casting", "e4m3:block"}, {"trainable", "lora:2"}, {"offload", "model"}},
            {{"casting", {{"prefetch", true}}}}},
        {"ema", {{"ema", "host:async"}}, {{"ema", {{"slice_bytes", 4096}}}}},
        {"ema on the host", {{"ema", "host:cpu"}}, {{"ema", {{"pinned", true}}}}},
        {"checkpoints", {{"checkpointing", "all+offload"}}},
        {"all",
            {{"offload", "block:1+stream"}, {"checkpointing", "all+offload"}, {"ema", "host:async"},
                {"optimizer", "adamw"}},
            {{"ema", {{"slice_bytes", 4096}}}}}};
}

// Attention op by op: the fused kernels' backward passes add in an order that nobody prescribes.
config::Configuration configurationWith(const Streams& streams)
{
    config::Configuration configuration = configurationOf("ltx-video-tiny", {{"attention", "math"}},
        {{"num_layers", 4}}, {{"step", "train"}, {"accumulate", 2}, {"dtype", "float32"}});
    for (const auto& [key, notation] : streams.techniques)
        choose(
            configuration, key, notation, streams.options.contains(key) ? streams.options.at(key) : config::ValueMap{});
    return configuration;
}

// Of three steps: the order of loads is known from the second on.
std::vector<at::Tensor> weightsAfterSteps(const config::Configuration& configuration)
{
    at::manual_seed(11);
    techniques::TechniqueStack stack(configuration);
    const auto model = stack.load(onTestDevice(at::kFloat));
    stack.apply(*model);
    SilentObserver observer;
    StepRunner runner(*model, stack.hooks(), configuration.workload,
        models::makeInputs(configuration, onTestDevice(at::kFloat)), observer);
    for (int step = 0; step < 3; ++step)
        runner.run(step);
    std::vector<at::Tensor> weights;
    for (const at::Tensor& parameter : runner.parameters())
        weights.push_back(onHost(parameter).clone());
    return weights;
}

TEST(SideStreamRacesTest, repeatedStepsGiveTheSameWeights)
{
    requireValues();
    const int repeats = testDevice().is_cuda() ? 50 : 3;
    for (const Streams& streams : everyUseOfSideStreams()) {
        const config::Configuration configuration = configurationWith(streams);
        ASSERT_TRUE(config::conflicts(configuration).empty()) << streams.name;
        const std::vector<at::Tensor> expected = weightsAfterSteps(configuration);
        for (int repeat = 0; repeat < repeats; ++repeat) {
            const std::vector<at::Tensor> found = weightsAfterSteps(configuration);
            ASSERT_EQ(found.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                ASSERT_TRUE(sameNumbers(found[i], expected[i])) << streams.name << ", " << repeat << ", tensor " << i;
        }
    }
}

// The same computation without any side stream.
TEST(SideStreamRacesTest, theWeightsAreThoseOfPlainSteps)
{
    requireValues();
    const std::vector<at::Tensor> plain = weightsAfterSteps(configurationWith({"plain", {}}));
    for (const Streams& streams : everyUseOfSideStreams()) {
        if (streams.techniques.contains("casting") || streams.techniques.contains("optimizer"))
            continue; // other numbers
        const std::vector<at::Tensor> found = weightsAfterSteps(configurationWith(streams));
        ASSERT_EQ(found.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i)
            EXPECT_TRUE(sameNumbers(found[i], plain[i])) << streams.name << ", tensor " << i;
    }
}

} // namespace
} // namespace headroom::training::side_stream_races_test
