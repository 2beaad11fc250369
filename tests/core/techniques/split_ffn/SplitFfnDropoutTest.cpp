// SPDX-License-Identifier: Apache-2.0
#include "tests/core/techniques/split_ffn/SplitLayer.h"
#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::techniques {
namespace {

using Axis = config::SplitFfnNotation::Axis;

constexpr std::int64_t kDim = 16;
constexpr std::int64_t kInner = 64;
constexpr std::int64_t kTokens = 1024;

// A layer whose inner activation is one constant and whose output is that activation itself: what dropout did to each
// hidden channel can be read from the output.
std::unique_ptr<models::FeedForward> transparentLayer(models::Activation activation, double dropout)
{
    auto layer = std::make_unique<models::FeedForward>(
        models::FeedForwardOptions{
            .dim = kDim, .dimOut = kInner, .inner = kInner, .activation = activation, .dropout = dropout},
        onTestDevice(at::kDouble));
    const torch::NoGradGuard noGradients;
    layer->projection().weight.zero_();
    layer->projection().bias.fill_(2.0);
    layer->output().weight.copy_(at::eye(kInner, onTestDevice(at::kDouble)));
    layer->output().bias.zero_();
    return layer;
}

at::Tensor dropRates(const at::Tensor& output)
{
    return (output == 0).to(at::kDouble).view({kTokens, 4, kInner / 4}).mean(std::vector<std::int64_t>{0, 2});
}

// The published prototype suspects that each slice should use p / N. It should not: every hidden channel belongs to
// one slice, so its chance to be dropped stays p. Each quarter of the channels has 16384 draws: five standard
// deviations of the rate are 1.8 %, p / 4 would be 22 % away.
TEST(SplitFfnDropoutTest, everyChannelIsDroppedWithTheLayersProbability)
{
    requireValues();
    constexpr double p = 0.3;
    at::manual_seed(43);
    for (const auto activation : {models::Activation::Gelu, models::Activation::Swiglu})
        for (const Axis axis : kAxes)
            for (const Accumulate accumulate : kAccumulations) {
                const auto layer = transparentLayer(activation, p);
                const at::Tensor input = at::zeros({kTokens, kDim}, onTestDevice(at::kDouble));
                layer->eval();
                const at::Tensor kept = layer->forward(input) / (1 - p);
                layer->train();
                layer->setExecution(executionOf({axis, 4, accumulate}));
                const at::Tensor output = layer->forward(input).detach();
                const at::Tensor rates = dropRates(output);
                for (std::int64_t quarter = 0; quarter < 4; ++quarter)
                    EXPECT_NEAR(rates[quarter].item<double>(), p, 0.018) << textOf({axis, 4, accumulate});
                const at::Tensor isKept = at::isclose(output, kept, 1e-12);
                EXPECT_TRUE(at::logical_or(output == 0, isKept).all().item<bool>()) << "kept values are scaled once";
            }
}

TEST(SplitFfnDropoutTest, slicesDropIndependently)
{
    requireValues();
    at::manual_seed(47);
    const auto layer = transparentLayer(models::Activation::Gelu, 0.5);
    layer->train();
    layer->setExecution(executionOf({Axis::Channels, 2, Accumulate::InPlace}));
    const at::Tensor dropped =
        (layer->forward(at::zeros({kTokens, kDim}, onTestDevice(at::kDouble))).detach() == 0).to(at::kDouble) - 0.5;
    const double covariance =
        (dropped.narrow(1, 0, kInner / 2) * dropped.narrow(1, kInner / 2, kInner / 2)).mean().item<double>();
    // 32768 products of +-0.5 * +-0.5: five standard deviations are 0.007; the same mask twice would give 0.25.
    EXPECT_NEAR(covariance, 0.0, 0.007);
}

TEST(SplitFfnDropoutTest, withProbabilityZeroTrainingEqualsEvaluation)
{
    at::manual_seed(53);
    for (const Axis axis : kAxes)
        for (const Accumulate accumulate : kAccumulations) {
            const auto layer = randomLayer(
                {.dim = 16, .dimOut = 16, .inner = 64, .activation = models::Activation::Geglu}, at::kFloat);
            layer->setExecution(executionOf({axis, 4, accumulate}));
            const at::Tensor input = at::randn({8, 16}, onTestDevice());
            layer->train();
            const at::Tensor trained = layer->forward(input);
            layer->eval();
            EXPECT_TRUE(sameNumbers(layer->forward(input), trained));
        }
}

TEST(SplitFfnDropoutTest, evaluationDropsNothing)
{
    requireValues();
    at::manual_seed(59);
    const auto layer = randomLayer(
        {.dim = 16, .dimOut = 16, .inner = 64, .activation = models::Activation::Swiglu, .dropout = 0.9}, at::kDouble);
    layer->eval();
    const at::Tensor input = at::randn({8, 16}, onTestDevice(at::kDouble));
    const at::Tensor plain = layer->forward(input);
    for (const Axis axis : kAxes) {
        layer->setExecution(executionOf({axis, 4, Accumulate::InPlace}));
        EXPECT_LE(relativeL2(layer->forward(input), plain), 1e-12);
    }
}

TEST(SplitFfnDropoutTest, withProbabilityOneOnlyTheOutputBiasRemains)
{
    at::manual_seed(61);
    const auto layer = randomLayer(
        {.dim = 16, .dimOut = 6, .inner = 64, .activation = models::Activation::Geglu, .dropout = 1.0}, at::kDouble);
    layer->train();
    for (const Axis axis : kAxes)
        for (const Accumulate accumulate : kAccumulations) {
            layer->setExecution(executionOf({axis, 4, accumulate}));
            const at::Tensor output = layer->forward(at::randn({8, 16}, onTestDevice(at::kDouble)));
            EXPECT_TRUE(sameNumbers(output, layer->output().bias.expand({8, 6})));
        }
}

} // namespace
} // namespace headroom::techniques
