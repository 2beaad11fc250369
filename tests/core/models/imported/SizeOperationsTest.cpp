// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/Interpreter.h"

#include "core/base/Error.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom::models::size_operations_test {
namespace {

TEST(SizeOperationsTest, integersFollowPythonsRules)
{
    EXPECT_EQ(sizeOperation("_operator.floordiv", {-7, 2}).toInt(), -4);
    EXPECT_EQ(sizeOperation("_operator.mod", {-7, 4}).toInt(), 1);
    EXPECT_EQ(sizeOperation("_operator.mul", {3, 4}).toInt(), 12);
    EXPECT_EQ(sizeOperation("_operator.pow", {7, 2}).toInt(), 49);
    EXPECT_EQ(sizeOperation("torch.sym_max", {3, 4}).toInt(), 4);
    EXPECT_EQ(sizeOperation("torch.sym_sum", {std::vector<std::int64_t>{1, 2, 3}}).toInt(), 6);
    EXPECT_EQ(sizeOperation("math.ceil", {2.25}).toInt(), 3);
    EXPECT_EQ(sizeOperation("math.floor", {-2.25}).toInt(), -3);
    EXPECT_EQ(sizeOperation("math.trunc", {-2.25}).toInt(), -2);
}

TEST(SizeOperationsTest, quotientsAreRealsAndRelationsAreTruths)
{
    EXPECT_EQ(sizeOperation("_operator.truediv", {7, 2}).toDouble(), 3.5);
    EXPECT_EQ(sizeOperation("_operator.pow", {2.0, 3}).toDouble(), 8);
    EXPECT_TRUE(sizeOperation("_operator.le", {3, 3}).toBool());
    EXPECT_FALSE(sizeOperation("_operator.eq", {3, 4}).toBool());
    EXPECT_TRUE(sizeOperation("torch.sym_not", {false}).toBool());
}

TEST(SizeOperationsTest, whatIsNotKnownIsRefused)
{
    EXPECT_THROW(sizeOperation("builtins.hash", {3}), TrialError);
    EXPECT_THROW(sizeOperation("_operator.floordiv", {3, 0}), TrialError);
}

// Some of these would end the process, or never end.
TEST(SizeOperationsTest, whatIsBeyondSixtyFourBitsIsRefused)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    EXPECT_THROW(sizeOperation("_operator.mul", {kMost, 2}), TrialError);
    EXPECT_THROW(sizeOperation("_operator.add", {kMost, 1}), TrialError);
    EXPECT_THROW(sizeOperation("_operator.sub", {kLeast, 1}), TrialError);
    EXPECT_THROW(sizeOperation("_operator.neg", {kLeast}), TrialError);
    EXPECT_THROW(sizeOperation("_operator.floordiv", {kLeast, -1}), TrialError);
    EXPECT_THROW(sizeOperation("_operator.pow", {2, kMost}), TrialError);
    EXPECT_THROW(sizeOperation("torch.sym_sum", {std::vector<std::int64_t>{kMost, 1}}), TrialError);
    EXPECT_THROW(sizeOperation("math.trunc", {1e300}), TrialError);
    EXPECT_THROW(sizeOperation("math.floor", {std::numeric_limits<double>::quiet_NaN()}), TrialError);
    EXPECT_EQ(sizeOperation("_operator.mod", {kLeast, -1}).toInt(), 0);
    EXPECT_EQ(sizeOperation("_operator.pow", {-1, kMost}).toInt(), -1);
    EXPECT_EQ(sizeOperation("_operator.pow", {0, kMost}).toInt(), 0);
    EXPECT_EQ(sizeOperation("_operator.pow", {0, 0}).toInt(), 1);
}

} // namespace
} // namespace headroom::models::size_operations_test
