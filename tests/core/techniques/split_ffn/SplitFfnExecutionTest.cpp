// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/split_ffn/SplitFfnExecution.h"

#include "tests/core/techniques/split_ffn/SplitLayer.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

namespace headroom::techniques {
namespace {

using Axis = config::SplitFfnNotation::Axis;

std::unique_ptr<models::FeedForward> layerOf(models::Activation activation, models::Bias bias = models::Bias::On)
{
    at::manual_seed(67);
    return randomLayer({.dim = 8, .dimOut = 6, .inner = 32, .activation = activation, .bias = bias}, at::kDouble);
}

bool lieInside(const at::Tensor& slice, const at::Tensor& whole)
{
    const auto* begin = static_cast<const char*>(whole.const_data_ptr());
    const auto* first = static_cast<const char*>(slice.const_data_ptr());
    return slice.is_alias_of(whole) && first >= begin && first < begin + whole.nbytes();
}

TEST(ChannelSliceTest, valueAndGateRowsAreThoseOfTheSameChannels)
{
    const auto layer = layerOf(models::Activation::Geglu);
    const at::Tensor& weight = layer->projection().weight; // [64, 8]: value rows 0..31, gate rows 32..63
    const at::Tensor& bias = layer->projection().bias;
    for (std::int64_t k = 0; k < 4; ++k) {
        const ChannelSlice slice = channelSlice(*layer, k, 4);
        ASSERT_EQ(slice.projectionWeights.size(), 2U);
        EXPECT_TRUE(sameNumbers(slice.projectionWeights[0], weight.slice(0, 8 * k, 8 * k + 8)));
        EXPECT_TRUE(sameNumbers(slice.projectionWeights[1], weight.slice(0, 32 + 8 * k, 32 + 8 * k + 8)));
        EXPECT_TRUE(sameNumbers(slice.projectionBiases[0], bias.slice(0, 8 * k, 8 * k + 8)));
        EXPECT_TRUE(sameNumbers(slice.projectionBiases[1], bias.slice(0, 32 + 8 * k, 32 + 8 * k + 8)));
        EXPECT_TRUE(sameNumbers(slice.outputWeight, layer->output().weight.slice(1, 8 * k, 8 * k + 8)));
    }
}

TEST(ChannelSliceTest, weightsAreViewsOfTheLayersOwn)
{
    for (const auto activation : {models::Activation::Gelu, models::Activation::Swiglu}) {
        const auto layer = layerOf(activation);
        for (std::int64_t k = 0; k < 4; ++k) {
            const ChannelSlice slice = channelSlice(*layer, k, 4);
            for (std::size_t half = 0; half < slice.projectionWeights.size(); ++half) {
                EXPECT_TRUE(lieInside(slice.projectionWeights[half], layer->projection().weight));
                EXPECT_TRUE(lieInside(slice.projectionBiases[half], layer->projection().bias));
            }
            EXPECT_TRUE(lieInside(slice.outputWeight, layer->output().weight));
        }
    }
}

TEST(ChannelSliceTest, withoutBiasThereIsNone)
{
    const auto layer = layerOf(models::Activation::Geglu, models::Bias::Off);
    const ChannelSlice slice = channelSlice(*layer, 1, 4);
    ASSERT_EQ(slice.projectionBiases.size(), 2U);
    EXPECT_FALSE(slice.projectionBiases[0].defined());
    EXPECT_FALSE(slice.projectionBiases[1].defined());
}

TEST(SplitExecutionTest, aChangeOfTheLayersWeightsChangesTheSplitOutput)
{
    requireValues();
    for (const Axis axis : kAxes) {
        const auto layer = layerOf(models::Activation::Swiglu);
        layer->setExecution(executionOf({axis, 4, Accumulate::InPlace}));
        const at::Tensor input = at::randn({12, 8}, onTestDevice(at::kDouble));
        const torch::NoGradGuard noGradients;
        const at::Tensor before = layer->forward(input);
        for (at::Tensor parameter : layer->parameters())
            parameter.mul_(1.5);
        EXPECT_GT(relativeL2(layer->forward(input), before), 0.1);
        EXPECT_LE(relativeL2(layer->forward(input), layer->forwardPlain(input)), 1e-12);
    }
}

TEST(SplitExecutionTest, theInputIsLeftAsItIs)
{
    for (const Axis axis : kAxes)
        for (const Accumulate accumulate : kAccumulations) {
            const auto layer = layerOf(models::Activation::GegluApproximate);
            layer->setExecution(executionOf({axis, 4, accumulate}));
            const at::Tensor input = at::randn({12, 8}, onTestDevice(at::kDouble));
            const at::Tensor copy = input.clone();
            layer->forward(input);
            EXPECT_TRUE(sameNumbers(input, copy));
        }
}

TEST(SplitExecutionTest, everySliceIsCounted)
{
    for (const Axis axis : kAxes)
        for (const Accumulate accumulate : kAccumulations) {
            const auto layer = layerOf(models::Activation::Geglu);
            const auto count = std::make_shared<SliceCount>();
            layer->setExecution(executionOf({axis, 4, accumulate}, count));
            layer->forward(at::randn({12, 8}, onTestDevice(at::kDouble)));
            EXPECT_EQ(count->run, 4);
            layer->forward(at::randn({12, 8}, onTestDevice(at::kDouble))).sum().backward();
            EXPECT_EQ(count->run, 8);
            EXPECT_EQ(count->recomputed, 0) << "nothing is computed again in the backward pass";
        }
}

} // namespace
} // namespace headroom::techniques
