// SPDX-License-Identifier: Apache-2.0
#include "core/base/Statistics.h"

#include <gtest/gtest.h>

namespace headroom {
namespace {

using Samples = std::vector<double>;

TEST(StatisticsTest, medianOfOddEvenAndNone)
{
    EXPECT_EQ(median(Samples{5, 1, 3}), 3.0);
    EXPECT_EQ(median(Samples{4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median(Samples{7}), 7.0);
    EXPECT_EQ(median(Samples{3, 1, 2}), 2.0);
    EXPECT_EQ(median(Samples{4, 1, 2, 3}), 2.5);
    EXPECT_EQ(median(Samples{}), std::nullopt);
}

TEST(StatisticsTest, medianAbsoluteDeviationIsUnscaled)
{
    // Median 2; distances 1 1 0 0 2 4 7, sorted 0 0 1 1 2 4 7.
    EXPECT_EQ(medianAbsoluteDeviation(Samples{1, 1, 2, 2, 4, 6, 9}), 1.0);
    EXPECT_EQ(medianAbsoluteDeviation(Samples{3, 3, 3}), 0.0);
    EXPECT_EQ(medianAbsoluteDeviation(Samples{}), std::nullopt);
}

TEST(StatisticsTest, bootstrapNeedsThreeSamples)
{
    EXPECT_EQ(bootstrapMedian95(std::vector<Samples>{{1, 2}}), std::nullopt);
    EXPECT_EQ(bootstrapMedian95(std::vector<Samples>{{1}, {}, {2}}), std::nullopt);
    EXPECT_TRUE(bootstrapMedian95(std::vector<Samples>{{1}, {2}, {3}}).has_value());
}

TEST(StatisticsTest, bootstrapOfThreeSamplesSpansThem)
{
    // The median of a resample is 1 (or 3) with probability 7/27: far more often than in 2.5 % of the resamples.
    EXPECT_EQ(bootstrapMedian95(std::vector<Samples>{{1, 2, 3}}), (Interval{1, 3}));
}

TEST(StatisticsTest, bootstrapOfManySamplesMatchesTheBinomialInterval)
{
    // For 99 samples 1..99 the 2.5 % quantile of the resampled median is order statistic 40 (binomial(99, 1/2), normal
    // approximation 49.5 - 1.96 * 4.97 = 39.8), the 97.5 % quantile 60.
    Samples samples;
    for (int i = 1; i <= 99; ++i)
        samples.push_back(i);
    const auto interval = bootstrapMedian95(std::vector<Samples>{samples});
    ASSERT_TRUE(interval.has_value());
    EXPECT_NEAR(interval->low, 40, 1.5);
    EXPECT_NEAR(interval->high, 60, 1.5);
}

TEST(StatisticsTest, bootstrapIsReproducibleAndDependsOnTheSeed)
{
    std::vector<Samples> processes(2);
    for (int i = 0; i < 100; ++i)
        processes[static_cast<std::size_t>(i % 2)].push_back(i * i);
    EXPECT_EQ(bootstrapMedian95(processes, 7), bootstrapMedian95(processes, 7));
    bool differs = false;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        differs = differs || bootstrapMedian95(processes, seed) != bootstrapMedian95(processes, 7);
    EXPECT_TRUE(differs);
}

TEST(StatisticsTest, bootstrapIsWiderWhereProcessesDiffer)
{
    const std::vector<Samples> apart{{1, 1, 1, 1, 1}, {2, 2, 2, 2, 2}, {3, 3, 3, 3, 3}};
    const std::vector<Samples> mixed{{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3}};
    EXPECT_EQ(bootstrapMedian95(apart), (Interval{1, 3}));
    const auto together = bootstrapMedian95(mixed);
    EXPECT_GE(together->high - together->low, 0.0);
    EXPECT_LE(together->high - together->low, 2.0);
}

} // namespace
} // namespace headroom
