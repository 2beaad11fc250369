// SPDX-License-Identifier: Apache-2.0
//
// Weights that are upcast to another type than the workload's.
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/core/techniques/casting/CastModels.h"
#include "tests/core/techniques/split_ffn/SplitLayer.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::techniques::casting_compute_test {
namespace {

struct Types {
    config::Dtype workload;
    c10::ScalarType activations;
    std::string compute;
    c10::ScalarType computeType;
};

const Types kTypes[]{{config::Dtype::Float32, at::kFloat, "bfloat16", at::kBFloat16},
    {config::Dtype::Float32, at::kFloat, "float16", at::kHalf},
    {config::Dtype::BFloat16, at::kBFloat16, "float32", at::kFloat},
    {config::Dtype::Float64, at::kDouble, "float32", at::kFloat}};

config::Configuration configurationOf(
    const Types& types, const std::string& model, const std::string& notation, const std::string& split = "off")
{
    config::Configuration configuration = config::defaultConfiguration(model, "");
    configuration.workload.dtype = types.workload;
    configuration.techniques["casting"] = config::makeSetting(
        config::findTechnique("casting", ""), notation, {{"compute_dtype", types.compute}}, "techniques.casting");
    configuration.techniques["split_ffn"] =
        config::makeSetting(config::findTechnique("split_ffn", ""), split, {}, "techniques.split_ffn");
    return configuration;
}

/// A cast model and what it gives for a random input.
struct CastRun {
    explicit CastRun(const config::Configuration& configuration, c10::ScalarType activations)
        : techniques(configuration)
    {
        at::manual_seed(21);
        model = techniques.load(onTestDevice(activations));
        inputs = models::makeInputs(configuration, onTestDevice(activations));
        techniques.apply(*model);
        const torch::NoGradGuard noGradients;
        models::Inputs prepared = inputs;
        techniques.hooks().prepareInputs(prepared);
        output = model->forward(prepared);
    }

    TechniqueStack techniques;
    std::shared_ptr<models::Model> model;
    models::Inputs inputs;
    at::Tensor output;
};

at::Tensor linearIn(c10::ScalarType type, const at::Tensor& input, const models::Linear& linear)
{
    const at::Tensor bias = linear.bias.defined() ? linear.bias.to(type) : linear.bias;
    return at::linear(input.to(type), linear.weight.to(type), bias).to(input.scalar_type());
}

TEST(CastingComputeTest, layersTakeAndGiveTheWorkloadsType)
{
    for (const Types& types : kTypes)
        for (const char* notation : {"e4m3", "e4m3:group", "e4m3:block"}) {
            const CastRun run(configurationOf(types, "ffn-stack-tiny", notation), types.activations);
            at::Tensor expected = run.inputs.at("hidden_states");
            for (const models::FeedForward* layer : run.model->feedForwards()) {
                const at::Tensor inner = models::activate(
                    layer->layerOptions().activation, linearIn(types.computeType, expected, layer->projection()));
                expected = linearIn(types.computeType, inner, layer->output());
            }
            EXPECT_EQ(run.output.scalar_type(), types.activations);
            EXPECT_TRUE(sameNumbers(run.output, expected)) << notation << " in " << types.compute;
        }
}

TEST(CastingComputeTest, theWholeModelComputesInItsOwnType)
{
    requireValues();
    for (const Types& types : kTypes) {
        const CastRun run(configurationOf(types, "ltx-video-tiny", "e5m2:model"), types.activations);
        config::Configuration plain = config::defaultConfiguration("ltx-video-tiny", "");
        const auto model = models::buildModel(plain, onTestDevice(types.computeType));
        const torch::NoGradGuard noGradients;
        const auto from = run.model->parameters();
        auto to = model->parameters();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i].copy_(from[i].to(types.computeType));
        models::Inputs inputs = run.inputs;
        for (auto& [name, input] : inputs)
            if (input.scalar_type() == types.activations)
                input = input.to(types.computeType);
        EXPECT_EQ(run.output.scalar_type(), types.computeType);
        EXPECT_TRUE(sameNumbers(run.output, model->forward(inputs))) << types.compute;
    }
}

// One rounding to the lower of both types in each of the four sums of slices that replace one sum, relative to the
// output: four halves of 2^-7 in bfloat16.
TEST(CastingComputeTest, slicesComputeInItToo)
{
    requireValues();
    for (const Types& types : kTypes)
        for (const char* split : {"4", "tokens:4"}) {
            const CastRun whole(configurationOf(types, "ffn-stack-tiny", "e4m3"), types.activations);
            const CastRun slices(configurationOf(types, "ffn-stack-tiny", "e4m3", split), types.activations);
            EXPECT_EQ(slices.output.scalar_type(), types.activations);
            EXPECT_LE(relativeL2(slices.output, whole.output), 4 * 0.00390625) << split << " in " << types.compute;
        }
}

} // namespace
} // namespace headroom::techniques::casting_compute_test
