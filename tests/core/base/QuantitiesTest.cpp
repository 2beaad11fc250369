// SPDX-License-Identifier: Apache-2.0
#include "core/base/Quantities.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom::config {
namespace {

TEST(SizeTextTest, amountsHaveThreeDigitsAndABinaryUnit)
{
    EXPECT_EQ(sizeText(0), "0 B");
    EXPECT_EQ(sizeText(512), "512 B");
    EXPECT_EQ(sizeText(700 * kKiB), "700 KiB");
    EXPECT_EQ(sizeText(96 * kMiB), "96.0 MiB");
    EXPECT_EQ(sizeText(28'689'301'504), "26.7 GiB");
    EXPECT_EQ(sizeText(200 * kGiB), "200 GiB");
    EXPECT_EQ(sizeText(-3 * kGiB / 2), "-1.50 GiB");
}

TEST(SizeTextTest, aTenthOfAGibIsToldInGib)
{
    EXPECT_EQ(sizeText(kGiB / 8), "0.125 GiB");
    EXPECT_EQ(sizeText(kGiB / 16), "64.0 MiB");
}

TEST(SizeTextTest, whatRoundsUpHasNoDigitMore)
{
    EXPECT_EQ(sizeText(10 * kGiB - 1), "10.0 GiB");
    EXPECT_EQ(sizeText(kGiB - 1), "1.00 GiB");
    EXPECT_EQ(significant(99.96, 3), "100");
    EXPECT_EQ(significant(99.94, 3), "99.9");
    EXPECT_EQ(significant(0.09996, 3), "0.100");
}

TEST(SizeTextTest, ratesKeepTheirDigitsHoweverSlow)
{
    EXPECT_EQ(rateText(2.354), "2.35 it/s");
    EXPECT_EQ(rateText(0.04522), "0.0452 it/s");
    EXPECT_EQ(rateText(813.2), "813 it/s");
}

TEST(SizeTextTest, significantDigitsHoldForAllSizes)
{
    EXPECT_EQ(significant(0.01234, 3), "0.0123");
    EXPECT_EQ(significant(12'345, 3), "12345");
    EXPECT_EQ(significant(123'456'789, 3), "1.23e+08");
    EXPECT_EQ(significant(-1.5, 3), "-1.50");
    EXPECT_EQ(significant(0, 3), "0");
    EXPECT_EQ(significant(std::numeric_limits<double>::quiet_NaN(), 3), "unknown");
}

} // namespace
} // namespace headroom::config
