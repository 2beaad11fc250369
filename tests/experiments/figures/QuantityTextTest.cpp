// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/QuantityText.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom::figures {
namespace {

TEST(QuantityTextTest, sizesHaveThreeDigitsAndABinaryUnit)
{
    EXPECT_EQ(sizeText(28'689'301'504), "26.7 GiB");
    EXPECT_EQ(sizeText(kGiB), "1.00 GiB");
    EXPECT_EQ(sizeText(3 * kMiB), "3.00 MiB");
    EXPECT_EQ(sizeText(512), "0.500 KiB");
    EXPECT_EQ(sizeText(0), "0 KiB");
}

TEST(QuantityTextTest, tablesKeepThreeDecimals)
{
    EXPECT_EQ(tableText(28'689'301'504, memoryUnitFor(28'689'301'504)), "26.719");
}

TEST(QuantityTextTest, timesHaveAUnitThatFits)
{
    EXPECT_EQ(timeText(412'000'000), "412 ms");
    EXPECT_EQ(timeText(2'500'000'000), "2.50 s");
    EXPECT_EQ(timeText(1'500), "1.50 µs");
}

TEST(QuantityTextTest, slowSpeedsAreAlsoSecondsPerStep)
{
    EXPECT_EQ(speedText(1.68, SpeedUnit::Steps), "1.68 steps/s");
    EXPECT_EQ(speedText(0.5, SpeedUnit::Samples), "0.500 samples/s (2.00 s/sample)");
}

TEST(QuantityTextTest, significantDigitsHoldForAllSizes)
{
    EXPECT_EQ(significant(0.01234, 3), "0.0123");
    EXPECT_EQ(significant(12'345, 3), "12345");
    EXPECT_EQ(significant(123'456'789, 3), "1.23e+08");
    EXPECT_EQ(significant(-1.5, 3), "-1.50");
    EXPECT_EQ(significant(std::numeric_limits<double>::quiet_NaN(), 3), "unknown");
}

TEST(QuantityTextTest, sharesNeverLookLikeNothingUnlessTheyAre)
{
    EXPECT_EQ(shareText(642, 1'000), "64.2 %");
    EXPECT_EQ(shareText(1, 100'000), "<0.1 %");
    EXPECT_EQ(shareText(0, 100'000), "0 %");
    EXPECT_EQ(shareText(0, 0), "0 %");
}

} // namespace
} // namespace headroom::figures
