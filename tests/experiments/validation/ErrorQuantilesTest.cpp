// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationDocument.h"

#include <gtest/gtest.h>

namespace headroom::experiments {
namespace {

TEST(ErrorQuantilesTest, lieBetweenTheOrderedErrors)
{
    const std::vector<double> errors{0.04, -0.02, 0, 0.02, 0};
    const auto quantiles = quantilesOf(errors);
    ASSERT_TRUE(quantiles);
    EXPECT_EQ(quantiles->count, 5U);
    EXPECT_EQ(quantiles->exact, 2U);
    EXPECT_DOUBLE_EQ(quantiles->smallest, -0.02);
    EXPECT_DOUBLE_EQ(quantiles->p05, -0.016);
    EXPECT_DOUBLE_EQ(quantiles->median, 0);
    EXPECT_DOUBLE_EQ(quantiles->p75, 0.02);
    EXPECT_DOUBLE_EQ(quantiles->p95, 0.036);
    EXPECT_DOUBLE_EQ(quantiles->largest, 0.04);
    EXPECT_DOUBLE_EQ(quantiles->absoluteMedian, 0.02);
    EXPECT_DOUBLE_EQ(quantiles->absoluteLargest, 0.04);
}

TEST(ErrorQuantilesTest, ofOneErrorAreThatErrorAndOfNoneThereAreNone)
{
    const auto one = quantilesOf(std::vector<double>{-0.5});
    ASSERT_TRUE(one);
    EXPECT_EQ(one->p05, -0.5);
    EXPECT_EQ(one->p95, -0.5);
    EXPECT_EQ(one->absoluteP95, 0.5);
    EXPECT_FALSE(quantilesOf(std::vector<double>{}));
}

TEST(RankCorrelationTest, looksAtTheOrderAlone)
{
    EXPECT_DOUBLE_EQ(rankCorrelation({{1, 10}, {2, 100}, {3, 1000}}).value(), 1);
    EXPECT_DOUBLE_EQ(rankCorrelation({{1, 3}, {2, 2}, {3, 1}}).value(), -1);
    // Ranks 1 2 3 4 against 2 1 4 3: 1 - 6 * 4 / (4 * 15).
    EXPECT_DOUBLE_EQ(rankCorrelation({{1, 20}, {2, 10}, {3, 40}, {4, 30}}).value(), 0.6);
}

TEST(RankCorrelationTest, tiesShareTheMeanOfTheirRanks)
{
    // Ranks 1 2.5 2.5 4 against 1 2 3 4: 4.5 / sqrt(4.5 * 5).
    EXPECT_NEAR(rankCorrelation({{1, 1}, {2, 2}, {2, 3}, {3, 4}}).value(), 0.9486833, 1e-7);
}

TEST(RankCorrelationTest, isUnknownWhereNothingCanBeRanked)
{
    EXPECT_FALSE(rankCorrelation({{1, 1}, {2, 2}}));
    EXPECT_FALSE(rankCorrelation({{1, 5}, {2, 5}, {3, 5}}));
}

} // namespace
} // namespace headroom::experiments
