// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/SortRules.h"

#include <gtest/gtest.h>

namespace headroom::simulator::sort_rules_test {
namespace {

constexpr ComputeCapability kTuring{7, 5}, kAmpere{8, 0}, kAda{8, 9}, kHopper{9, 0}, kBlackwell{10, 0};

// 256 threads with 19 words, or 9 pairs of 8 bytes.
TEST(SortRulesTest, whatOneBlockSortsTakesNothing)
{
    EXPECT_EQ(sortScratch({.count = 1}, kAmpere), 1);
    EXPECT_EQ(sortScratch({.count = 2304}, kAmpere), 1) << "9 x 256";
    EXPECT_GT(sortScratch({.count = 2305}, kAmpere), 2305 * 16);
    EXPECT_EQ(sortScratch({.count = 4864, .keyBytes = 4, .valueBytes = 4}, kHopper), 1) << "19 x 256";
}

// 8192 keys of 14 bits: two passes, each with 256 digits of 8 bytes; 8192 / 3840 = 3 tiles with 256 counters of 4
// bytes; keys and values of the first pass; two counters; each rounded to 256, and 255 to align all of it.
TEST(SortRulesTest, manyKeysTakeRoomForAPassAndCounters)
{
    const SortedPairs tokens{.count = 8192, .keyBits = 14};
    EXPECT_EQ(sortScratch(tokens, kAmpere), 4096 + 3 * 1024 + 2 * 65536 + 256 + 255);
    EXPECT_EQ(sortScratch(tokens, kAda), sortScratch(tokens, kAmpere));
    EXPECT_EQ(sortScratch(tokens, kHopper), 4096 + 2 * 1024 + 2 * 65536 + 256 + 255) << "tiles of 4608";
    EXPECT_EQ(sortScratch(tokens, kBlackwell), sortScratch(tokens, kHopper));
    EXPECT_EQ(sortScratch(tokens, kTuring), 4096 + 3 * 1024 + 2 * 65536 + 256 + 255) << "tiles of 2816";
}

TEST(SortRulesTest, onePassNeedsNoRoomInBetween)
{
    EXPECT_EQ(sortScratch({.count = 8192, .keyBits = 8}, kAmpere), 2048 + 3 * 1024 + 256 + 255);
}

// As LibTorch 2.11 asked rehearsed cards for.
TEST(SortRulesTest, uniqueKeysAndSumsTakeAStateForEachTile)
{
    EXPECT_EQ(uniqueScratch(16000000, kHopper), 58367);
    EXPECT_EQ(uniqueScratch(4000000, kHopper), 15359);
    EXPECT_EQ(uniqueScratch(16000000, kAmpere), 144127);
    EXPECT_EQ(uniqueScratch(16000000, kAda), 801023);
    EXPECT_EQ(uniqueScratch(16000000, kTuring), 801023);
    EXPECT_EQ(uniqueScratch(16000000, kBlackwell), 67839);
    EXPECT_EQ(uniqueScratch(5184, kHopper), 1279);
    EXPECT_EQ(scanScratch(16000000), 286975);
    EXPECT_EQ(scanScratch(32), 1279);
}

TEST(SortRulesTest, bitsHoldTheLargestNumber)
{
    EXPECT_EQ(bitsOf(0), 1);
    EXPECT_EQ(bitsOf(1), 1);
    EXPECT_EQ(bitsOf(2), 2);
    EXPECT_EQ(bitsOf(9999), 14);
    EXPECT_EQ(bitsOf(16384), 15);
}

} // namespace
} // namespace headroom::simulator::sort_rules_test
