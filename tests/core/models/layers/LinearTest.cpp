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

} // namespace
} // namespace headroom::models
