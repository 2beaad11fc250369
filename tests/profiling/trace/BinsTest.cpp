// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/Bins.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom::trace {
namespace {

TEST(BinsTest, coverAWindowWithAtMostTheWantedNumber)
{
    const BinRange range = BinRange::covering(1000, 9000, 10);
    EXPECT_EQ(range.shift, 10);
    EXPECT_EQ(range.beginNs(), 0);
    EXPECT_EQ(range.endNs(), 9216);
    EXPECT_EQ(range.count, 9U);
}

TEST(BinsTest, windowsOfEverySizeAreCovered)
{
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
    for (const auto& [from, to] : {std::pair{kFirst, kLast}, std::pair{kFirst, std::int64_t{0}},
             std::pair{std::int64_t{0}, kLast}, std::pair{kLast - 1, kLast},
             std::pair{std::int64_t{5}, std::int64_t{5}}, std::pair{std::int64_t{9}, std::int64_t{5}}}) {
        for (const std::size_t width : {0U, 1U, 2U, 1000U}) {
            const BinRange range = BinRange::covering(from, to, width);
            EXPECT_LE(range.count, std::max<std::size_t>(width, 2)) << from << ' ' << to << ' ' << width;
            EXPECT_GE(range.count, 1U);
            EXPECT_LE(range.beginNs(), from);
            EXPECT_GE(range.endNs(), std::min(to, kLast));
        }
    }
}

TEST(BinsTest, foldFillsQuietBucketsWithTheCarriedValue)
{
    BucketFold fold({.shift = 2, .first = 1, .count = 3}, 7);
    fold.addPoint(2, 9); // before the range
    fold.addPoint(8, 3);
    fold.addPoint(11, 5);
    fold.addPoint(16, 100); // behind it
    EXPECT_EQ(fold.take(), (std::vector<Bucket>{{4, 8, 9, 9, 9}, {8, 12, 3, 9, 5}, {12, 16, 5, 5, 5}}));
}

} // namespace
} // namespace headroom::trace
