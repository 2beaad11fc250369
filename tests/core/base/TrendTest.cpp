// SPDX-License-Identifier: Apache-2.0
#include "core/base/Trend.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace headroom {
namespace {

std::vector<double> ramp(int size, double slope)
{
    std::vector<double> samples(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i)
        samples[static_cast<std::size_t>(i)] = 1 + slope * i;
    return samples;
}

TEST(TrendTest, theSlopeOfARampIsItsOwnAndOutliersDoNotMoveIt)
{
    std::vector<double> samples = ramp(11, 0.25);
    EXPECT_DOUBLE_EQ(theilSenSlope(samples), 0.25);
    samples[3] = 1000;
    samples[8] = -1000;
    EXPECT_NEAR(theilSenSlope(samples), 0.25, 1e-12);
}

// n = 10, rising throughout: S = 45, variance 125, z = 44 / sqrt(125).
TEST(TrendTest, mannKendallOfARampIsTheClosedForm)
{
    EXPECT_NEAR(mannKendallProbability(ramp(10, 1)), std::erfc(44 / std::sqrt(125.0) / std::sqrt(2.0)), 1e-15);
    EXPECT_DOUBLE_EQ(mannKendallProbability(ramp(10, -1)), mannKendallProbability(ramp(10, 1)));
}

// Four and four without overlap: U = 0, D = 16, variance 16 * 9 / 3 = 48, z = 15 / sqrt(48).
TEST(TrendTest, mannWhitneyOfSeparateSetsIsTheClosedForm)
{
    const std::vector<double> low{1, 2, 3, 4};
    const std::vector<double> high{5, 6, 7, 8};
    EXPECT_NEAR(mannWhitneyProbability(low, high), std::erfc(15 / std::sqrt(48.0) / std::sqrt(2.0)), 1e-15);
    EXPECT_DOUBLE_EQ(mannWhitneyProbability(low, high), mannWhitneyProbability(high, low));
}

TEST(TrendTest, equalSamplesShowNothing)
{
    const std::vector<double> same(12, 0.5);
    EXPECT_EQ(mannKendallProbability(same), 1);
    EXPECT_EQ(mannWhitneyProbability(same, same), 1);
    EXPECT_EQ(theilSenSlope(same), 0);
}

// The levels are what they say: noise is called a trend as often as the level allows, and ties change that little.
TEST(TrendTest, noiseIsCalledATrendAsOftenAsTheLevelSays)
{
    std::mt19937_64 random(1);
    for (const int values : {1000000, 5}) {
        int trends = 0;
        int shifts = 0;
        for (int run = 0; run < 2000; ++run) {
            std::vector<double> samples(20);
            for (double& sample : samples)
                sample = static_cast<double>(random() % static_cast<std::uint64_t>(values));
            trends += mannKendallProbability(samples) <= 0.05 ? 1 : 0;
            shifts += mannWhitneyProbability(std::span(samples).first(10), std::span(samples).last(10)) <= 0.05 ? 1 : 0;
        }
        EXPECT_NEAR(trends, 100, 40) << values;
        EXPECT_NEAR(shifts, 90, 45) << values;
    }
}

} // namespace
} // namespace headroom
