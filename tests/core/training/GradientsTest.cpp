// SPDX-License-Identifier: Apache-2.0
#include "core/training/Gradients.h"

#include "tests/support/torch/Comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::training {
namespace {

at::Tensor parameterWith(const std::vector<double>& gradient)
{
    at::Tensor parameter =
        at::ones({static_cast<std::int64_t>(gradient.size())}, onTestDevice(at::kDouble)).requires_grad_();
    parameter.mutable_grad() = at::tensor(gradient, at::kDouble).to(testDevice());
    return parameter;
}

// The joint norm of these gradients is sqrt(9 + 16 + 144) = 13.
std::vector<at::Tensor> parameters()
{
    return {parameterWith({3, 4}), at::ones({2}, onTestDevice(at::kDouble)).requires_grad_(), parameterWith({12})};
}

TEST(GradientsTest, setToNoneDropsThem)
{
    const auto all = parameters();
    clearGradients(all, config::GradientClearing::SetToNone);
    for (const at::Tensor& parameter : all)
        EXPECT_FALSE(parameter.grad().defined());
}

TEST(GradientsTest, zeroKeepsTheirMemory)
{
    requireValues();
    const auto all = parameters();
    const void* memory = all[0].grad().const_data_ptr();
    clearGradients(all, config::GradientClearing::Zero);
    EXPECT_EQ(all[0].grad().const_data_ptr(), memory);
    EXPECT_EQ(all[0].grad().abs().sum().item<double>(), 0.0);
    EXPECT_FALSE(all[1].grad().defined()) << "what has no gradient gets none";
}

TEST(GradientsTest, keepLeavesThem)
{
    const auto all = parameters();
    clearGradients(all, config::GradientClearing::Keep);
    EXPECT_TRUE(sameNumbers(all[0].grad(), at::tensor({3.0, 4.0}, at::kDouble).to(testDevice())));
}

TEST(GradientsTest, theNormIsThatOfAllTogether)
{
    requireValues();
    EXPECT_DOUBLE_EQ(gradientNorm(parameters()).item<double>(), 13.0);
    EXPECT_FALSE(gradientNorm({at::ones({2}, onTestDevice()).requires_grad_()}).defined());
}

TEST(GradientsTest, clippingScalesAllByTheSameFactor)
{
    requireValues();
    const auto all = parameters();
    clipGradients(all, 6.5);
    const double factor = 6.5 / (13 + 1e-6);
    EXPECT_TRUE(closeNumbers(all[0].grad(), at::tensor({3 * factor, 4 * factor}, at::kDouble).to(testDevice()), 1e-14));
    EXPECT_TRUE(closeNumbers(all[2].grad(), at::tensor({12 * factor}, at::kDouble).to(testDevice()), 1e-14));
    EXPECT_LE(gradientNorm(all).item<double>(), 6.5);
}

TEST(GradientsTest, gradientsBelowTheMaximumAreNotClipped)
{
    const auto all = parameters();
    clipGradients(all, 13.5);
    EXPECT_TRUE(sameNumbers(all[0].grad(), at::tensor({3.0, 4.0}, at::kDouble).to(testDevice())));
}

TEST(GradientsTest, clippingWithoutGradientsDoesNothing)
{
    EXPECT_NO_THROW(clipGradients({at::ones({2}, onTestDevice()).requires_grad_()}, 1.0));
}

} // namespace
} // namespace headroom::training
