// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/QuantityText.h"

#include <gtest/gtest.h>

namespace headroom::figures {
namespace {

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

TEST(QuantityTextTest, slowSpeedsAreAlsoSecondsPerIteration)
{
    EXPECT_EQ(speedText(1.68, SpeedUnit::Steps), "1.68 it/s");
    EXPECT_EQ(speedText(0.5, SpeedUnit::Steps), "0.500 it/s (2.00 s/it)");
    EXPECT_EQ(speedText(0.5, SpeedUnit::Samples), "0.500 samples/s (2.00 s/sample)");
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
