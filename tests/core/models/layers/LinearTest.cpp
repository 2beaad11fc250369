// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Linear.h"

#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::models {
namespace {

TEST(LinearTest, isTheProductWithTheTransposedWeightPlusTheBias)
{
    Linear linear(2, 3, Bias::On, onTestDevice(at::kDouble));
    const torch::NoGradGuard noGradients;
    linear.weight.copy_(at::tensor({1., 2., 3., 4., 5., 6.}, at::kDouble).to(testDevice()).view({3, 2}));
    linear.bias.copy_(at::tensor({10., 20., 30.}, at::kDouble).to(testDevice()));
    const at::Tensor output = linear.forward(at::tensor({1., -1.}, at::kDouble).to(testDevice()).view({1, 1, 2}));
    EXPECT_TRUE(sameNumbers(output, at::tensor({9., 19., 29.}, at::kDouble).to(testDevice()).view({1, 1, 3})));
}

TEST(LinearTest, biasOffHasNoBias)
{
    const Linear linear(2, 3, Bias::Off, onTestDevice(at::kFloat));
    EXPECT_FALSE(linear.bias.defined());
    EXPECT_EQ(linear.parameters().size(), 1U);
}

// Uniform in +-b has the variance b^2 / 3: of 65536 draws the estimate is within 2 % (five sigma are 1.75 %).
TEST(LinearTest, startsUniformInOneOverTheRootOfItsWidth)
{
    requireValues();
    at::manual_seed(11);
    Linear linear(256, 256, Bias::On, onTestDevice(at::kDouble));
    {
        const torch::NoGradGuard noGradients;
        linear.initialise();
    }
    const double bound = 1.0 / 16;
    EXPECT_LE(linear.weight.abs().max().item<double>(), bound);
    EXPECT_LE(linear.bias.abs().max().item<double>(), bound);
    EXPECT_GT(linear.bias.abs().max().item<double>(), 0.9 * bound);
    const double variance = linear.weight.square().mean().item<double>();
    EXPECT_NEAR(variance / (bound * bound / 3), 1.0, 0.02);
    EXPECT_NEAR(linear.weight.mean().item<double>() / bound, 0.0, 0.02);
}

/// Layers of equal weights in both layouts.
struct BothLayouts {
    BothLayouts()
    {
        const torch::NoGradGuard noGradients;
        at::manual_seed(3);
        plain.initialise();
        transposed.weight.copy_(plain.weight.t());
        transposed.bias.copy_(plain.bias);
    }

    Linear plain{4, 6, Bias::On, onTestDevice(at::kDouble)};
    Linear transposed{4, 6, Bias::On, onTestDevice(at::kDouble), WeightLayout::InByOut};
};

TEST(LinearTest, aTransposedWeightGivesTheSameOutputAndGradients)
{
    requireValues();
    BothLayouts both;
    EXPECT_EQ(both.transposed.weight.sizes().vec(), (std::vector<std::int64_t>{4, 6}));
    EXPECT_EQ(both.transposed.inFeatures(), 4);
    EXPECT_EQ(both.transposed.outFeatures(), 6);
    EXPECT_TRUE(sameBits(both.transposed.rows(), both.plain.weight));
    const at::Tensor input = at::randn({2, 3, 4}, onTestDevice(at::kDouble));
    const at::Tensor output = both.transposed.forward(input);
    EXPECT_LE(relativeL2(output, both.plain.forward(input)), 1e-14);
    output.square().mean().backward();
    both.plain.forward(input).square().mean().backward();
    EXPECT_LE(relativeL2(both.transposed.weight.grad().t(), both.plain.weight.grad()), 1e-14);
    EXPECT_LE(relativeL2(both.transposed.bias.grad(), both.plain.bias.grad()), 1e-14);
}

TEST(LinearTest, anAdapterOfATransposedWeightIsThatOfThePlainOne)
{
    requireValues();
    BothLayouts both;
    for (Linear* linear : {&both.plain, &both.transposed}) {
        linear->adapt({2, 0.5, 0.0}, onTestDevice(at::kDouble));
        const torch::NoGradGuard noGradients;
        at::manual_seed(5);
        linear->adapter()->a->weight.normal_();
        linear->adapter()->b->weight.normal_();
    }
    const at::Tensor input = at::randn({2, 3, 4}, onTestDevice(at::kDouble));
    const at::Tensor output = both.transposed.forward(input);
    EXPECT_LE(relativeL2(output, both.plain.forward(input)), 1e-14);
    output.square().mean().backward();
    both.plain.forward(input).square().mean().backward();
    for (const auto& item : both.plain.named_parameters())
        if (item.key().starts_with("lora_")) {
            EXPECT_LE(relativeL2(both.transposed.named_parameters()[item.key()].grad(), item.value().grad()), 1e-14)
                << item.key();
        }
}

} // namespace
} // namespace headroom::models
