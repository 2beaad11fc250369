// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/BusyTime.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace headroom::report {
namespace {

TEST(BusyTimeTest, sharesAreThoseOfAnAccountOfEveryNanosecond)
{
    std::mt19937 random(4);
    for (int round = 0; round < 200; ++round) {
        std::vector<bool> account(500, false);
        BusyTime busy;
        for (std::size_t spans = random() % 30; spans > 0; --spans) {
            const std::int64_t begin = random() % 480;
            const std::int64_t end = std::min<std::int64_t>(begin + random() % 40, 500);
            busy.add(begin, end);
            for (std::int64_t at = begin; at < end; ++at)
                account[static_cast<std::size_t>(at)] = true;
        }
        busy.finish();
        for (int question = 0; question < 20; ++question) {
            const std::int64_t from = random() % 499;
            const std::int64_t to = from + 1 + static_cast<std::int64_t>(random() % (500 - from));
            std::int64_t counted = 0;
            for (std::int64_t at = from; at < to; ++at)
                counted += account[static_cast<std::size_t>(at)] ? 1 : 0;
            ASSERT_DOUBLE_EQ(busy.share(from, to), static_cast<double>(counted) / static_cast<double>(to - from));
        }
    }
}

TEST(BusyTimeTest, binsCoverTheWindowAndAreNoMoreThanAskedFor)
{
    BusyTime busy;
    busy.add(10, 20);
    busy.finish();
    const auto bins = busy.bins({0, 100}, 10);
    ASSERT_EQ(bins.size(), 10U);
    EXPECT_EQ(bins[1].beginNs, 10);
    EXPECT_DOUBLE_EQ(bins[1].share, 1);
    EXPECT_DOUBLE_EQ(bins[0].share + bins[2].share, 0);
    EXPECT_LE(busy.bins({0, 7}, 3).size(), 3U);
}

TEST(BusyTimeTest, withoutSpansNothingIsBusy)
{
    BusyTime busy;
    busy.add(5, 5);
    busy.finish();
    EXPECT_TRUE(busy.isEmpty());
    EXPECT_DOUBLE_EQ(busy.share(0, 10), 0);
}

// Over whole stretches it is exact, within one it is even; the axis begins at the trace's origin.
TEST(BusyTimeTest, anOccupancySaysTheSameAsItsSpans)
{
    constexpr std::int64_t kOriginNs = 5'000;
    constexpr std::int64_t kStretchNs = 1'024;
    std::mt19937 random(5);
    trace::OccupancyBuilder builder;
    BusyTime exact;
    for (std::int64_t at = kOriginNs; at < 400'000; at += random() % 700) {
        const std::int64_t end = at + random() % 900;
        builder.add({at, end});
        exact.add(at - kOriginNs, end - kOriginNs);
    }
    exact.finish();
    const trace::Occupancy occupancy = builder.take();
    ASSERT_EQ(std::int64_t{1} << occupancy.shift, kStretchNs);
    const BusyTime busy(occupancy, kOriginNs);
    const std::int64_t first = occupancy.firstNs - kOriginNs;
    for (std::int64_t from = first; from < 300'000; from += 7 * kStretchNs)
        ASSERT_NEAR(busy.share(from, from + 5 * kStretchNs), exact.share(from, from + 5 * kStretchNs), 1e-9);
    EXPECT_NEAR(busy.share(-1'000'000, 1'000'000), exact.share(-1'000'000, 1'000'000), 1e-9);
    EXPECT_TRUE(busy.isFineEnoughFor({0, 100 * kStretchNs}, 100));
    EXPECT_FALSE(busy.isFineEnoughFor({0, 100 * kStretchNs}, 101));
    EXPECT_TRUE(exact.isFineEnoughFor({0, 10}, 10));
}

} // namespace
} // namespace headroom::report
