// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/OutputComparison.h"

#include "tests/support/torch/TestDevice.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::collectors {
namespace {

TEST(OutputComparisonTest, differencesAreTheClosedForms)
{
    requireValues();
    const at::Tensor baseline = at::tensor({3.0F, 4.0F, 0.0F, 0.0F}).to(testDevice());
    const at::Tensor output = at::tensor({3.0F, 4.5F, 0.0F, -1.0F}).to(testDevice());
    const auto numerics = compareOutputs(output, baseline);
    ASSERT_TRUE(numerics);
    EXPECT_DOUBLE_EQ(*numerics->outputMaxAbs, 1.0);
    EXPECT_DOUBLE_EQ(*numerics->outputMeanAbs, 1.5 / 4);
    EXPECT_DOUBLE_EQ(*numerics->outputRelL2, std::sqrt(1.25) / 5);
}

TEST(OutputComparisonTest, equalOutputsDifferByNothing)
{
    requireValues();
    const at::Tensor output = at::randn({3, 5}, onTestDevice()).to(at::kBFloat16);
    const auto numerics = compareOutputs(output, output.clone());
    EXPECT_EQ(numerics->outputMaxAbs, 0.0);
    EXPECT_EQ(numerics->outputRelL2, 0.0);
}

// Elements are compared chunk by chunk; the sums are those of the whole.
TEST(OutputComparisonTest, chunksAddUpToTheWhole)
{
    requireValues();
    const std::int64_t count = 2 * chunkElements(testDevice()) + 3;
    const at::Tensor baseline = at::ones({count}, onTestDevice(at::kFloat));
    const at::Tensor output = baseline.clone();
    output.slice(0, count - 2).fill_(3); // in the last chunk
    output.slice(0, 0, 4).fill_(0);
    const auto numerics = compareOutputs(output, baseline);
    EXPECT_DOUBLE_EQ(*numerics->outputMaxAbs, 2.0);
    EXPECT_DOUBLE_EQ(*numerics->outputMeanAbs, (2 * 2.0 + 4 * 1.0) / static_cast<double>(count));
    EXPECT_DOUBLE_EQ(*numerics->outputRelL2, std::sqrt((2 * 4.0 + 4 * 1.0) / static_cast<double>(count)));
}

TEST(OutputComparisonTest, noNumberIsTheLargestDifferenceWhereverItIs)
{
    requireValues();
    const std::int64_t count = 2 * chunkElements(testDevice());
    for (const std::int64_t place : {std::int64_t{0}, count - 1}) {
        const at::Tensor output = at::zeros({count}, onTestDevice(at::kFloat));
        output[place].fill_(std::nan(""));
        EXPECT_TRUE(std::isnan(*compareOutputs(output, at::ones_like(output))->outputMaxAbs)) << place;
    }
}

TEST(OutputComparisonTest, aBaselineOfZerosHasNoRelativeDifference)
{
    requireValues();
    const auto numerics = compareOutputs(at::ones({4}, onTestDevice()), at::zeros({4}, onTestDevice()));
    EXPECT_EQ(numerics->outputMaxAbs, 1.0);
    EXPECT_EQ(numerics->outputRelL2, std::nullopt);
}

TEST(OutputComparisonTest, whatHasNoValuesOrAnotherShapeIsNotCompared)
{
    const at::Tensor meta = at::empty({4}, at::TensorOptions().device(at::kMeta));
    EXPECT_FALSE(compareOutputs(meta, meta));
    EXPECT_FALSE(compareOutputs(at::ones({4}, onTestDevice()), at::ones({2, 2}, onTestDevice())));
}

} // namespace
} // namespace headroom::collectors
