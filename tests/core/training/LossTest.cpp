// SPDX-License-Identifier: Apache-2.0
#include "core/training/Loss.h"

#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

#include <cmath>

namespace headroom::training {
namespace {

// Not a constant: the device is opened when the tests begin.
at::Tensor someOutput()
{
    return at::tensor({1.0, -2.0, 3.0, 0.5}, at::kDouble).to(testDevice());
}

TEST(LossTest, meanIsTheMeanOfTheOutput)
{
    requireValues();
    EXPECT_DOUBLE_EQ(lossOf(config::Loss::Mean, someOutput(), {}).item<double>(), 2.5 / 4);
}

TEST(LossTest, meanSquareIsTheMeanOfItsSquares)
{
    requireValues();
    EXPECT_DOUBLE_EQ(lossOf(config::Loss::MeanSquare, someOutput(), {}).item<double>(), (1 + 4 + 9 + 0.25) / 4);
}

TEST(LossTest, mseIsTheMeanSquaredDistanceFromTheTarget)
{
    requireValues();
    const at::Tensor target = at::tensor({0.0, -2.0, 1.0, 1.5}, at::kDouble).to(testDevice());
    EXPECT_DOUBLE_EQ(lossOf(config::Loss::Mse, someOutput(), target).item<double>(), (1 + 0 + 4 + 1) / 4.0);
}

TEST(LossTest, onlyMseNeedsATarget)
{
    requireValues();
    const at::Tensor output = at::zeros({3, 5}, onTestDevice(at::kBFloat16));
    EXPECT_FALSE(makeTarget(config::Loss::Mean, output).defined());
    EXPECT_FALSE(makeTarget(config::Loss::MeanSquare, output).defined());
    const at::Tensor target = makeTarget(config::Loss::Mse, output);
    EXPECT_EQ(target.sizes(), output.sizes());
    EXPECT_EQ(target.scalar_type(), output.scalar_type());
    EXPECT_GT(target.to(at::kFloat).abs().max().item<double>(), 0.0);
}

// Logits of two tokens to choose from; the second token of each sequence is the first one's label, and nothing is its
// own.
TEST(LossTest, crossEntropyIsTheMeanSurpriseAtTheNextToken)
{
    requireValues();
    const at::Tensor ids = at::tensor({0, 1, 1, 0}, at::kLong).to(testDevice()).view({2, 2});
    const at::Tensor labels = nextTokens({{"input_ids", ids}});
    EXPECT_TRUE(sameNumbers(labels, at::tensor({1L, kNoLabel, 0L, kNoLabel}, at::kLong).to(testDevice()).view({2, 2})));
    const at::Tensor logits =
        at::tensor({0.0, 2.0, 5.0, 5.0, 1.0, 4.0, 7.0, 9.0}, at::kDouble).to(testDevice()).view({2, 2, 2});
    const double first = std::log(1 + std::exp(-2.0)), second = std::log(1 + std::exp(3.0));
    EXPECT_NEAR(lossOf(config::Loss::CrossEntropy, logits, labels).item<double>(), (first + second) / 2, 1e-15);
    const at::Tensor reduced = lossOf(config::Loss::CrossEntropy, logits.to(at::kBFloat16), labels);
    EXPECT_EQ(reduced.scalar_type(), at::kFloat) << "a reduced type's few digits are none for a loss";
    EXPECT_NEAR(reduced.item<double>(), (first + second) / 2, 1e-6);
}

TEST(LossTest, crossEntropyNeedsTokens)
{
    EXPECT_THAT(refusal([] { nextTokens({{"hidden_states", someOutput()}}); }), testing::HasSubstr("cross_entropy"));
}

TEST(LossTest, crossEntropyIsRefusedForOutputsThatAreNoLogits)
{
    EXPECT_EQ(refusal([] { lossOf(config::Loss::CrossEntropy, someOutput(), {}); }),
        "workload.loss: cross_entropy needs a model whose output are logits over a vocabulary (valid: mean, mse, "
        "mean_square)");
}

TEST(LossTest, gradientsAreTheClosedForms)
{
    at::Tensor leaf = someOutput().clone().requires_grad_();
    lossOf(config::Loss::Mean, leaf, {}).backward();
    EXPECT_TRUE(closeNumbers(leaf.grad(), at::full({4}, 0.25, onTestDevice(at::kDouble))));
    leaf.mutable_grad() = at::Tensor();
    lossOf(config::Loss::MeanSquare, leaf, {}).backward();
    EXPECT_TRUE(closeNumbers(leaf.grad(), someOutput() / 2));
}

} // namespace
} // namespace headroom::training
