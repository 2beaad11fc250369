// SPDX-License-Identifier: Apache-2.0
#include "core/base/Numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom {
namespace {

TEST(NumbersTest, aNumberHasThreeDigitsWhereverItLies)
{
    EXPECT_EQ(significant(0.01234), "0.0123");
    EXPECT_EQ(significant(12'345), "12345");
    EXPECT_EQ(significant(999'999), "999999");
    EXPECT_EQ(significant(123'456'789), "123,456,789");
    EXPECT_EQ(significant(-15'512'345.6), "-15,512,346");
    EXPECT_EQ(significant(1e18), "1e+18");
    EXPECT_EQ(significant(-1.5), "-1.50");
    EXPECT_EQ(significant(0), "0");
    EXPECT_EQ(significant(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(NumbersTest, digitsAreCountedAfterRounding)
{
    EXPECT_EQ(significant(99.96), "100");
    EXPECT_EQ(significant(99.94), "99.9");
    EXPECT_EQ(significant(9.995), "10.0");
    EXPECT_EQ(significant(0.9995), "1.00");
    EXPECT_EQ(significant(0.09996), "0.100");
}

TEST(NumbersTest, aColumnHasTheDecimalsOfItsSmallestNumber)
{
    EXPECT_EQ(decimalsFor({1.68, 0.5, std::nullopt}), 4);
    EXPECT_EQ(decimalsFor({1523}), 0);
    EXPECT_EQ(decimalsFor({}), 0);
    EXPECT_EQ(decimalsFor({1e-20}), 9);
    EXPECT_EQ(fixed(1.68, 4), "1.6800");
}

TEST(NumbersTest, longNumbersOfAColumnAreGrouped)
{
    EXPECT_EQ(inColumn(1523, 0), "1523");
    EXPECT_EQ(inColumn(1.68, 3), "1.680");
    EXPECT_EQ(inColumn(15'512'345.6, 0), "15,512,346");
    EXPECT_EQ(inColumn(15'512'345.6, 2), "15,512,346");
}

TEST(NumbersTest, aCellOfItsOwnIsRoundedAsAColumnIs)
{
    EXPECT_EQ(fixed(9.9996, decimalsFor({9.9996})), "10.00");
    EXPECT_EQ(significant(9.9996, kColumnDigits), "10.00");
}

TEST(NumbersTest, exactNumbersReadBackAsTheSame)
{
    EXPECT_EQ(exact(0.1), "0.1");
    EXPECT_EQ(exact(1.0 / 3), "0.3333333333333333");
}

TEST(NumbersTest, noDeviationIsZero)
{
    EXPECT_EQ(deviation(0), "0");
    EXPECT_EQ(deviation(1e-7), "1.00e-07");
}

} // namespace
} // namespace headroom
