// SPDX-License-Identifier: Apache-2.0
#include "core/base/Quantities.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom {
namespace {

TEST(QuantitiesTest, sizesHaveThreeDigits)
{
    EXPECT_EQ(sizeText(0), "0 B");
    EXPECT_EQ(sizeText(512), "512 B");
    EXPECT_EQ(sizeText(700 * kKiB), "700 KiB");
    EXPECT_EQ(sizeText(96 * kMiB), "96.0 MiB");
    EXPECT_EQ(sizeText(28'689'301'504), "26.7 GiB");
    EXPECT_EQ(sizeText(200 * kGiB), "200 GiB");
    EXPECT_EQ(sizeText(-3 * kGiB / 2), "-1.50 GiB");
}

TEST(QuantitiesTest, whatIsComparedWithACardIsInItsUnit)
{
    EXPECT_EQ(sizeText(kGiB / 8), "0.125 GiB");
    EXPECT_EQ(sizeText(kGiB / 16), "64.0 MiB");
}

TEST(QuantitiesTest, sizesAreRoundedBeforeDigitsAreCounted)
{
    EXPECT_EQ(sizeText(10 * kGiB - 1), "10.0 GiB");
    EXPECT_EQ(sizeText(kGiB - 1), "1.00 GiB");
}

TEST(QuantitiesTest, requestsAreMostlyWhole)
{
    EXPECT_EQ(requestSizeText(96 * kMiB), "96 MiB");
    EXPECT_EQ(requestSizeText(96 * kMiB + 512), "96.0 MiB");
    EXPECT_EQ(requestSizeText(2 * kGiB), "2 GiB");
}

TEST(QuantitiesTest, exactSizesAreGrouped)
{
    EXPECT_EQ(exactSizeText(9'663'676'416), "9,663,676,416 bytes");
    EXPECT_EQ(exactSizeText(1), "1 byte");
}

TEST(QuantitiesTest, theLargestAmountDecidesTheUnitOfAColumn)
{
    EXPECT_EQ(columnUnitFor({kGiB, kGiB / 8, 0}).name, "GiB");
    EXPECT_EQ(columnUnitFor({kGiB - 1, std::nullopt}).name, "MiB");
    EXPECT_EQ(columnUnitFor({kMiB - 1}).name, "KiB");
    EXPECT_EQ(columnUnitFor({1023}).name, "B");
    EXPECT_EQ(columnUnitFor({-3 * kGiB}).name, "GiB");
    EXPECT_EQ(columnUnitFor({}).name, "B");
}

// A column of one unit that shows 9 MiB as 0.009 hides what it is about.
TEST(QuantitiesTest, aColumnThatSpansTooMuchTakesTheNextFinerUnit)
{
    const SizeUnit unit = columnUnitFor({5 * kGiB, 9 * kMiB, 0});
    EXPECT_EQ(unit.name, "MiB");
    EXPECT_EQ(inUnit(9 * kMiB, unit), "9.0");
    EXPECT_EQ(columnUnitFor({kMiB, 1}).name, "KiB");
}

TEST(QuantitiesTest, columnsAndTablesHaveThreeDecimals)
{
    EXPECT_EQ(inUnit(kGiB + kGiB / 2, columnUnitFor({kGiB})), "1.500");
    EXPECT_EQ(inUnit(5 * kMiB, columnUnitFor({kGiB})), "0.005");
    EXPECT_EQ(inUnit(std::nullopt, columnUnitFor({kGiB})), "");
    EXPECT_EQ(inUnit(28'689'301'504, axisUnitFor(28'689'301'504)), "26.719");
}

TEST(QuantitiesTest, anAxisHasTheUnitOfItsLabels)
{
    EXPECT_EQ(axisUnitFor(kGiB / 8).name, "GiB");
    EXPECT_EQ(axisUnitFor(kMiB / 2).name, "KiB");
    EXPECT_EQ(axisUnitFor(0).name, "KiB");
}

TEST(QuantitiesTest, differencesHaveASign)
{
    EXPECT_EQ(signedSizeText(13 * kGiB), "+13.0 GiB");
    EXPECT_EQ(signedSizeText(-64 * kMiB), "-64.0 MiB");
    EXPECT_EQ(signedSizeText(0), "0 B");
    EXPECT_EQ(signedInUnit(kGiB / 4, columnUnitFor({kGiB})), "+0.250");
    EXPECT_EQ(signedInUnit(-3 * kGiB, columnUnitFor({kGiB})), "-3.000");
    EXPECT_EQ(moreOrLessText(4 * kGiB), "4.00 GiB more");
    EXPECT_EQ(moreOrLessText(-4 * kGiB), "4.00 GiB less");
}

TEST(QuantitiesTest, sharesNeverLookLikeNothingUnlessTheyAre)
{
    EXPECT_EQ(shareText(642, 1'000), "64.2 %");
    EXPECT_EQ(shareText(1, 1'000), "0.1 %");
    EXPECT_EQ(shareText(1, 100'000), "<0.1 %");
    EXPECT_EQ(shareText(0, 100'000), "0 %");
    EXPECT_EQ(shareText(0, 0), "0 %");
}

TEST(QuantitiesTest, sharesAndRatiosHaveOneDecimal)
{
    EXPECT_EQ(percentText(0.92), "92.0 %");
    EXPECT_EQ(percentText(0.05), "5.0 %");
    EXPECT_EQ(percentText(-0.092), "-9.2 %");
    EXPECT_EQ(percentText(std::numeric_limits<double>::infinity()), "unknown");
    EXPECT_EQ(signedPercentText(0.05), "+5.0 %");
    EXPECT_EQ(signedPercentText(-0.24), "-24.0 %");
    EXPECT_EQ(signedPercentText(-0.0003), "-0.03 %");
    EXPECT_EQ(signedPercentText(0.000012), "+0.001 %");
    EXPECT_EQ(signedPercentText(0), "0 %");
}

TEST(QuantitiesTest, onlyWhatIsDoneIsDoneWholly)
{
    EXPECT_EQ(progressText(0), "0 %");
    EXPECT_EQ(progressText(0.376), "37 %");
    EXPECT_EQ(progressText(0.999), "99 %");
    EXPECT_EQ(progressText(1), "100 %");
    EXPECT_EQ(progressText(0.29), "29 %");
}

TEST(QuantitiesTest, speedsAreInStepsPerSecond)
{
    EXPECT_EQ(speedText(2.354), "2.35 steps/s");
    EXPECT_EQ(speedText(0.04522), "0.0452 steps/s");
    EXPECT_EQ(speedText(813.2), "813 steps/s");
    EXPECT_EQ(speedText(0.5, SpeedUnit::Samples), "0.500 samples/s");
}

TEST(QuantitiesTest, largeSpeedsHaveADecimalPrefix)
{
    EXPECT_EQ(speedText(12'345, SpeedUnit::Tokens), "12345 tokens/s");
    EXPECT_EQ(speedText(234'567, SpeedUnit::Tokens), "235 k tokens/s");
    EXPECT_EQ(speedText(15'512'345, SpeedUnit::Samples), "15.5 M samples/s");
}

TEST(QuantitiesTest, speedsAreTimesToo)
{
    EXPECT_EQ(stepTimeText(12.5), "80.0 ms/step");
    EXPECT_EQ(speedAndTimeText(1 / 0.425), "2.35 steps/s (0.425 s/step)");
    EXPECT_EQ(speedAndTimeText(1 / 0.00123), "813 steps/s (1.23 ms/step)");
    EXPECT_EQ(speedAndTimeText(0.5, SpeedUnit::Samples), "0.500 samples/s (2.00 s/sample)");
    EXPECT_EQ(stepTimeText(0), "");
    EXPECT_EQ(speedAndTimeText(0), "0 steps/s");
}

TEST(QuantitiesTest, timesOfATraceHaveAUnitThatFits)
{
    EXPECT_EQ(timeText(412'000'000), "412 ms");
    EXPECT_EQ(timeText(2'500'000'000), "2.50 s");
    EXPECT_EQ(timeText(1'500), "1.50 µs");
}

TEST(QuantitiesTest, durationsHaveTheUnitThatPeopleUse)
{
    EXPECT_EQ(durationText(0.01), "< 0.1 s");
    EXPECT_EQ(durationText(1.26), "1.3 s");
    EXPECT_EQ(durationText(4.0), "4 s");
    EXPECT_EQ(durationText(41.7), "42 s");
    EXPECT_EQ(durationText(59.7), "1 min 0 s");
    EXPECT_EQ(durationText(200.0), "3 min 20 s");
    EXPECT_EQ(durationText(7500.0), "2 h 5 min");
}

TEST(QuantitiesTest, expectationsAreNoMoreExactThanAGuess)
{
    EXPECT_EQ(roughDurationText(0.4), "less than 1 s");
    EXPECT_EQ(roughDurationText(40.2), "about 40 s");
    EXPECT_EQ(roughDurationText(200), "about 3 min");
    EXPECT_EQ(roughDurationText(7200), "about 2 h");
    EXPECT_EQ(roughDurationText(7500), "about 2 h 5 min");
}

TEST(QuantitiesTest, largeCountsAreInWords)
{
    EXPECT_EQ(largeCountText(512), "512");
    EXPECT_EQ(largeCountText(999.6), "1.00 thousand");
    EXPECT_EQ(largeCountText(1.92e9), "1.92 billion");
    EXPECT_EQ(metricText(65.1e12, "FLOP"), "65.1 TFLOP");
    EXPECT_EQ(metricText(512, "FLOP"), "512 FLOP");
}

} // namespace
} // namespace headroom
