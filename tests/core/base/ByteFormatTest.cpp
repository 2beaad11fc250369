// SPDX-License-Identifier: Apache-2.0
#include "core/base/ByteFormat.h"

#include <gtest/gtest.h>

namespace headroom::experiments {
namespace {

TEST(ByteFormatTest, theLargestAmountDecidesTheUnit)
{
    EXPECT_STREQ(unitFor({kGiB, kGiB / 8, 0}).name, "GiB");
    EXPECT_STREQ(unitFor({kGiB - 1, std::nullopt}).name, "MiB");
    EXPECT_STREQ(unitFor({kMiB - 1}).name, "KiB");
    EXPECT_STREQ(unitFor({1023}).name, "B");
    EXPECT_STREQ(unitFor({-3 * kGiB}).name, "GiB");
    EXPECT_STREQ(unitFor({}).name, "B");
}

// A column of 0.009 and 5.008 GiB would show two digits of the one where 9.1 and 5128.5 MiB show them all.
TEST(ByteFormatTest, aColumnThatSpansTooMuchTakesTheNextFinerUnit)
{
    const ByteUnit unit = unitFor({5 * kGiB, 9 * kMiB, 0});
    EXPECT_STREQ(unit.name, "MiB");
    EXPECT_EQ(inUnit(9 * kMiB, unit), "9.0");
    EXPECT_STREQ(unitFor({kMiB, 1}).name, "KiB");
}

TEST(ByteFormatTest, gibHasThreeDecimals)
{
    EXPECT_EQ(inUnit(kGiB + kGiB / 2, unitFor({kGiB})), "1.500");
    EXPECT_EQ(inUnit(5 * kMiB, unitFor({kGiB})), "0.005");
    EXPECT_EQ(inUnit(std::nullopt, unitFor({kGiB})), "");
}

TEST(ByteFormatTest, readableNamesTheUnit)
{
    EXPECT_EQ(readable(5 * kGiB), "5.00 GiB");
    EXPECT_EQ(readable(96), "96 B");
    EXPECT_EQ(readable(0), "0 B");
}

} // namespace
} // namespace headroom::experiments
