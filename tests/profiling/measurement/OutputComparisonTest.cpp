// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/OutputComparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::collectors {
namespace {

TEST(OutputComparisonTest, differencesAreTheClosedForms)
{
    const at::Tensor baseline = at::tensor({3.0F, 4.0F, 0.0F, 0.0F});
    const at::Tensor output = at::tensor({3.0F, 4.5F, 0.0F, -1.0F});
    const auto numerics = compareOutputs(output, baseline);
    ASSERT_TRUE(numerics);
    EXPECT_DOUBLE_EQ(*numerics->outputMaxAbs, 1.0);
    EXPECT_DOUBLE_EQ(*numerics->outputMeanAbs, 1.5 / 4);
    EXPECT_DOUBLE_EQ(*numerics->outputRelL2, std::sqrt(1.25) / 5);
}

TEST(OutputComparisonTest, equalOutputsDifferByNothing)
{
    const at::Tensor output = at::randn({3, 5}).to(at::kBFloat16);
    const auto numerics = compareOutputs(output, output.clone());
    EXPECT_EQ(numerics->outputMaxAbs, 0.0);
    EXPECT_EQ(numerics->outputRelL2, 0.0);
}

TEST(OutputComparisonTest, aBaselineOfZerosHasNoRelativeDifference)
{
    const auto numerics = compareOutputs(at::ones({4}), at::zeros({4}));
    EXPECT_EQ(numerics->outputMaxAbs, 1.0);
    EXPECT_EQ(numerics->outputRelL2, std::nullopt);
}

TEST(OutputComparisonTest, whatHasNoValuesOrAnotherShapeIsNotCompared)
{
    const at::Tensor meta = at::empty({4}, at::TensorOptions().device(at::kMeta));
    EXPECT_FALSE(compareOutputs(meta, meta));
    EXPECT_FALSE(compareOutputs(at::ones({4}), at::ones({2, 2})));
}

} // namespace
} // namespace headroom::collectors
