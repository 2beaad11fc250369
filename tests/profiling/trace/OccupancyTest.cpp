// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/Occupancy.h"
#include "core/base/Error.h"
#include "profiling/trace/MalformedBlock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace headroom::trace {
namespace {

Occupancy occupancyOf(std::vector<Span> spans)
{
    std::ranges::sort(spans, {}, &Span::beginNs);
    OccupancyBuilder builder;
    for (const Span& span : spans)
        builder.add(span);
    return builder.take();
}

std::uint64_t busyIn(const Occupancy& occupancy)
{
    return std::accumulate(occupancy.busyNs.begin(), occupancy.busyNs.end(), std::uint64_t{0});
}

TEST(OccupancyTest, everyStretchHasTheNanosecondsInWhichSomethingRan)
{
    std::mt19937_64 random(1);
    for (int round = 0; round < 50; ++round) {
        std::vector<bool> account(20'000, false);
        std::vector<Span> spans;
        for (std::size_t i = 0; i < random() % 60; ++i) {
            const auto begin = static_cast<std::int64_t>(random() % 19'000);
            const auto end = std::min<std::int64_t>(begin + static_cast<std::int64_t>(random() % 3'000), 20'000);
            spans.push_back({begin, end});
            std::fill(account.begin() + begin, account.begin() + end, true);
        }
        const Occupancy occupancy = occupancyOf(spans);
        EXPECT_EQ(busyIn(occupancy), static_cast<std::uint64_t>(std::ranges::count(account, true)));
        for (std::size_t i = 0; i < occupancy.busyNs.size(); ++i) {
            const std::size_t begin = static_cast<std::size_t>(occupancy.firstNs) + (i << occupancy.shift);
            const std::size_t end = std::min(begin + (std::size_t{1} << occupancy.shift), account.size());
            ASSERT_EQ(occupancy.busyNs[i],
                static_cast<std::uint64_t>(std::count(account.begin() + static_cast<std::ptrdiff_t>(begin),
                    account.begin() + static_cast<std::ptrdiff_t>(end), true)));
        }
    }
}

TEST(OccupancyTest, aLongTraceHasLongerStretchesAndLosesNothing)
{
    std::vector<Span> spans;
    std::uint64_t busy = 0;
    for (std::int64_t i = 0; i < 10'000; ++i) {
        spans.push_back({i * 1'000'000'000, i * 1'000'000'000 + 1 + i});
        busy += static_cast<std::uint64_t>(1 + i);
    }
    const Occupancy occupancy = occupancyOf(spans);
    EXPECT_LE(occupancy.busyNs.size(), Occupancy::kMostStretches);
    EXPECT_GT(occupancy.busyNs.size(), Occupancy::kMostStretches / 2);
    EXPECT_EQ(busyIn(occupancy), busy);
}

TEST(OccupancyTest, theWholeOfTimeFits)
{
    using Time = std::numeric_limits<std::int64_t>;
    const Occupancy occupancy = occupancyOf({{Time::min(), Time::max()}});
    EXPECT_EQ(busyIn(occupancy), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(decodeOccupancy(encodeOccupancy(occupancy)), occupancy);
}

TEST(OccupancyTest, whatIsStoredComesBack)
{
    const Occupancy occupancy = occupancyOf({{-5'000, -4'000}, {10'000'000, 10'000'500}, {10'000'400, 10'003'000}});
    EXPECT_EQ(decodeOccupancy(encodeOccupancy(occupancy)), occupancy);
    EXPECT_LT(encodeOccupancy(occupancy).size(), 60U); // pauses take no room
    EXPECT_EQ(decodeOccupancy(encodeOccupancy({})), Occupancy{});
}

TEST(OccupancyTest, damagedBytesAreRefused)
{
    const std::vector<std::byte> data = encodeOccupancy(occupancyOf({{0, 3'000}, {9'000, 9'500}}));
    for (std::size_t size = 0; size < data.size(); ++size)
        EXPECT_THROW(decodeOccupancy(std::span(data).first(size)), MalformedBlock) << size;
    for (std::size_t i = 0; i < data.size(); ++i) {
        std::vector<std::byte> damaged = data;
        damaged[i] ^= std::byte{0x41};
        EXPECT_THROW(decodeOccupancy(damaged), MalformedBlock) << i;
    }
}

} // namespace
} // namespace headroom::trace
