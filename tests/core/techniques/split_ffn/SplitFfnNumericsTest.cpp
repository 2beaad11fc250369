// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FfnStackFamily.h"
#include "tests/core/techniques/split_ffn/SplitLayer.h"
#include "tests/support/torch/TestDevice.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::techniques::split_ffn_numerics_test {
namespace {

using Axis = config::SplitFfnNotation::Axis;

// A split layer computes the same sums as the plain one in another order. Adding n rounded terms of random sign leaves
// a relative error of about u * sqrt(n / 2) (u: half the distance from 1 to the next number): the error of each
// addition is proportional to the partial sum, which grows as the square root of the terms added so far. Two orders
// differ by sqrt(2) times that. An element of an output or a gradient passes at most one sum over each extent that is
// summed over (dim, inner, dim_out, tokens) and the slices, whose errors add up; with n the sum of them all, and a
// factor of 8 for activations (their slopes are below 1.2) and for products that cancel, the bound is 8 u sqrt(n).
// docs/techniques/split_ffn.md has the long form.
double bound(c10::ScalarType type, std::int64_t summed)
{
    const double u = type == at::kDouble ? 0x1p-53 : 0x1p-24;
    return 8 * u * std::sqrt(static_cast<double>(summed));
}

struct Case {
    models::FeedForwardOptions options;
    std::vector<std::int64_t> inputShape; ///< dim last
    Cut cut;

    std::int64_t tokens() const { return c10::multiply_integers(inputShape) / options.dim; }
    std::int64_t summed() const { return options.dim + options.inner + options.dimOut + tokens() + cut.slices; }
    std::string text() const
    {
        return textOf(cut) + ", dim " + std::to_string(options.dim) + ", inner " + std::to_string(options.inner)
            + ", dim_out " + std::to_string(options.dimOut) + ", tokens " + std::to_string(tokens()) + ", input of "
            + std::to_string(inputShape.size()) + " dimensions" + (options.bias == models::Bias::On ? "" : ", no bias");
    }
};

std::int64_t oneOf(std::mt19937& random, const std::vector<std::int64_t>& values)
{
    return values[random() % values.size()];
}

// A divisor of `whole`; 1 and `whole` itself among them.
std::int64_t divisor(std::mt19937& random, std::int64_t whole)
{
    std::vector<std::int64_t> divisors;
    for (std::int64_t d = 1; d <= whole; ++d)
        if (whole % d == 0)
            divisors.push_back(d);
    return oneOf(random, divisors);
}

Case randomCase(std::mt19937& random, models::Activation activation, Axis axis, Accumulate accumulate)
{
    Case result;
    const std::int64_t dim = oneOf(random, {4, 7, 16, 33, 64});
    result.options = {.dim = dim,
        .dimOut = oneOf(random, {dim, dim + 3, 5}),
        .inner = dim * oneOf(random, {1, 2, 4, 6}),
        .activation = activation,
        .dropout = 0.0,
        .bias = random() % 3 == 0 ? models::Bias::Off : models::Bias::On};
    const std::size_t leading = 1 + random() % 3;
    for (std::size_t i = 0; i < leading; ++i)
        result.inputShape.push_back(oneOf(random, {1, 2, 3, 6}));
    result.inputShape.push_back(dim);
    result.cut = {axis, divisor(random, axis == Axis::Channels ? result.options.inner : result.tokens()), accumulate};
    return result;
}

/// Output and all gradients by name; the loss weighs the output's elements at random.
std::map<std::string, at::Tensor> trained(
    models::FeedForward& layer, const at::Tensor& input, const at::Tensor& weights)
{
    layer.zero_grad();
    at::Tensor leaf = input.clone().requires_grad_();
    const at::Tensor output = layer.forward(leaf);
    (output * weights).sum().backward();
    std::map<std::string, at::Tensor> result{{"output", output.detach()}, {"input", leaf.grad()}};
    for (const auto& parameter : layer.named_parameters())
        result[parameter.key()] = parameter.value().grad().clone();
    return result;
}

void expectEqualWithinBound(const Case& tried, c10::ScalarType type)
{
    const double tolerance = bound(type, tried.summed());
    const auto layer = randomLayer(tried.options, type);
    const at::Tensor input = at::randn(tried.inputShape, onTestDevice(type));
    auto outputShape = tried.inputShape;
    outputShape.back() = tried.options.dimOut;
    const at::Tensor weights = at::randn(outputShape, onTestDevice(type));

    const auto plain = trained(*layer, input, weights);
    layer->setExecution(executionOf(tried.cut));
    const auto split = trained(*layer, input, weights);
    ASSERT_EQ(split.size(), plain.size());
    for (const auto& [name, expected] : plain) {
        ASSERT_EQ(split.at(name).sizes(), expected.sizes()) << name;
        EXPECT_LE(relativeL2(split.at(name), expected), tolerance) << name << ": " << tried.text();
        if (type == at::kDouble) {
            EXPECT_LE(relativeL2(split.at(name), expected), 1e-12) << name << ": " << tried.text();
        }
    }
    const torch::NoGradGuard noGradients;
    EXPECT_LE(relativeL2(layer->forward(input), plain.at("output")), tolerance) << "inference: " << tried.text();
}

class SplitAgainstPlainTest : public testing::TestWithParam<std::string> { };

TEST_P(SplitAgainstPlainTest, outputsAndGradientsAgreeForRandomShapes)
{
    requireValues();
    const models::Activation activation = models::activationFromName(GetParam());
    std::mt19937 random(static_cast<unsigned>(activation) + 17);
    at::manual_seed(23);
    for (const Axis axis : kAxes)
        for (const Accumulate accumulate : kAccumulations)
            for (const c10::ScalarType type : {at::kDouble, at::kFloat})
                for (int i = 0; i < 12; ++i)
                    expectEqualWithinBound(randomCase(random, activation, axis, accumulate), type);
}

TEST_P(SplitAgainstPlainTest, oneSliceAndSlicesOfOneAgree)
{
    requireValues();
    const models::Activation activation = models::activationFromName(GetParam());
    at::manual_seed(29);
    for (const Accumulate accumulate : kAccumulations)
        for (const Axis axis : kAxes)
            for (const std::int64_t slices : {1, 24}) {
                const Case extreme{{.dim = 6, .dimOut = 9, .inner = 24, .activation = activation}, {2, 12, 6},
                    {axis, slices, accumulate}};
                expectEqualWithinBound(extreme, at::kDouble);
                expectEqualWithinBound(extreme, at::kFloat);
            }
}

TEST_P(SplitAgainstPlainTest, inputsThatAreNotContiguousAgree)
{
    requireValues();
    const models::Activation activation = models::activationFromName(GetParam());
    at::manual_seed(31);
    const auto layer = randomLayer({.dim = 8, .dimOut = 8, .inner = 32, .activation = activation}, at::kDouble);
    const at::Tensor input = at::randn({8, 5, 4}, onTestDevice(at::kDouble)).permute({2, 1, 0});
    const at::Tensor plain = layer->forward(input);
    for (const Axis axis : kAxes)
        for (const Accumulate accumulate : kAccumulations) {
            layer->setExecution(executionOf({axis, 4, accumulate}));
            EXPECT_LE(relativeL2(layer->forward(input), plain), 1e-12);
        }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, SplitAgainstPlainTest, testing::ValuesIn(config::activationKinds()), [](const auto& test) {
        std::string name = test.param;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

/// The cut of the published prototypes: the rows of value and gate, one after the other, in consecutive pieces.
enum class WrongCut { WeightAndBias, BiasOnly };

at::Tensor consecutivelyCut(
    const models::FeedForward& layer, const at::Tensor& input, std::int64_t slices, WrongCut cut)
{
    const at::Tensor& weight = layer.projection().weight;
    const auto biases = layer.projection().bias.chunk(slices, 0);
    at::Tensor output;
    for (std::int64_t k = 0; k < slices; ++k) {
        const ChannelSlice paired = channelSlice(layer, k, slices);
        const at::Tensor rows = cut == WrongCut::WeightAndBias ? weight.chunk(slices, 0)[static_cast<std::size_t>(k)]
                                                               : at::cat(paired.projectionWeights, 0);
        const at::Tensor h = at::linear(input, rows, biases[static_cast<std::size_t>(k)]);
        const at::Tensor part = at::linear(models::activate(layer.layerOptions().activation, h), paired.outputWeight);
        output = output.defined() ? output + part : part;
    }
    return output + layer.output().bias;
}

// The published prototypes get gated kinds wrong. A test that would not notice that proves nothing.
TEST(GatePairingTest, aConsecutiveCutWouldBeNoticed)
{
    requireValues();
    at::manual_seed(37);
    const torch::NoGradGuard noGradients;
    for (const char* kind : {"geglu", "swiglu"}) {
        const auto layer = randomLayer(
            {.dim = 64, .dimOut = 64, .inner = 256, .activation = models::activationFromName(kind)}, at::kFloat);
        const at::Tensor input = at::randn({2, 16, 64}, onTestDevice());
        const at::Tensor plain = layer->forwardPlain(input);
        for (const WrongCut cut : {WrongCut::WeightAndBias, WrongCut::BiasOnly})
            EXPECT_GT(relativeL2(consecutivelyCut(*layer, input, 4, cut), plain), 1e-2) << kind;
        for (const Accumulate accumulate : kAccumulations) {
            layer->setExecution(executionOf({Axis::Channels, 4, accumulate}));
            EXPECT_LT(relativeL2(layer->forward(input), plain), 1e-5) << kind;
        }
    }
}

// Without gates there is nothing to pair: there the consecutive cut is right, and shows that the comparison is fair.
TEST(GatePairingTest, forUngatedKindsTheConsecutiveCutIsTheRightOne)
{
    requireValues();
    at::manual_seed(41);
    const torch::NoGradGuard noGradients;
    const auto layer =
        randomLayer({.dim = 64, .dimOut = 64, .inner = 256, .activation = models::Activation::Gelu}, at::kFloat);
    const at::Tensor input = at::randn({2, 16, 64}, onTestDevice());
    EXPECT_LT(
        relativeL2(consecutivelyCut(*layer, input, 4, WrongCut::WeightAndBias), layer->forwardPlain(input)), 1e-5);
}

} // namespace
} // namespace headroom::techniques::split_ffn_numerics_test
