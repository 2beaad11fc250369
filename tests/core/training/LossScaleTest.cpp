// SPDX-License-Identifier: Apache-2.0
#include "core/training/StepRunner.h"

#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom::training {
namespace {

std::vector<at::Tensor> parametersWith(const std::vector<std::vector<float>>& gradients)
{
    std::vector<at::Tensor> parameters;
    for (const auto& gradient : gradients) {
        parameters.push_back(at::ones({static_cast<std::int64_t>(gradient.size())}, onTestDevice()).requires_grad_());
        parameters.back().mutable_grad() = at::tensor(gradient, at::kFloat).to(testDevice());
    }
    parameters.push_back(at::ones({2}, onTestDevice()).requires_grad_()); // has no gradient
    return parameters;
}

TEST(LossScaleTest, theLossIsScaledAndTheGradientsUnscaled)
{
    requireValues();
    LossScale scale(testDevice());
    EXPECT_EQ(scale.scaled(at::full({}, 0.5, onTestDevice())).item<double>(), 32768.0);
    const auto parameters = parametersWith({{65536, -32768}, {131072}});
    scale.unscale(parameters);
    EXPECT_TRUE(sameNumbers(parameters[0].grad(), at::tensor({1.0F, -0.5F}).to(testDevice())));
    EXPECT_TRUE(sameNumbers(parameters[1].grad(), at::tensor({2.0F}).to(testDevice())));
    EXPECT_EQ(scale.check(), GradientCheck::Finite);
}

TEST(LossScaleTest, whatIsNotFiniteHalvesTheScale)
{
    requireValues();
    for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        LossScale scale(testDevice());
        scale.unscale(parametersWith({{1, 2}, {bad}}));
        EXPECT_EQ(scale.check(), GradientCheck::NotFinite);
        scale.adapt();
        EXPECT_EQ(scale.scale().item<double>(), 32768.0);
        scale.unscale(parametersWith({{1, 2}}));
        EXPECT_EQ(scale.check(), GradientCheck::Finite) << "of the last update alone";
        scale.adapt();
        EXPECT_EQ(scale.scale().item<double>(), 32768.0);
    }
}

TEST(LossScaleTest, itDoublesAfterTwoThousandGoodUpdates)
{
    requireValues();
    LossScale scale(testDevice());
    const auto parameters = parametersWith({{1}});
    for (int update = 0; update < 1999; ++update) {
        scale.unscale(parameters);
        scale.adapt();
    }
    EXPECT_EQ(scale.scale().item<double>(), 65536.0);
    scale.unscale(parameters);
    scale.adapt();
    EXPECT_EQ(scale.scale().item<double>(), 131072.0);
}

TEST(LossScaleTest, withoutGradientsNothingIsFound)
{
    LossScale scale(testDevice());
    scale.unscale({at::ones({2}, onTestDevice()).requires_grad_()});
    EXPECT_EQ(scale.check(), GradientCheck::Finite);
}

} // namespace
} // namespace headroom::training
