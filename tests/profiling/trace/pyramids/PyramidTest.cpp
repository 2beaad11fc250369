// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/Pyramid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace headroom::trace {
namespace {

struct Point {
    std::int64_t timeNs;
    Bytes value;
};

std::vector<Point> randomPoints(std::size_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<Point> points(count);
    std::int64_t timeNs = -5'000;
    for (Point& point : points) {
        timeNs += random() % 100 == 0 ? random() % 3'000'000 : random() % 40;
        point = {timeNs, static_cast<Bytes>(random() % 100'000) - 50'000};
    }
    return points;
}

Bucket bruteForce(const std::vector<Point>& points, Bytes before, const Bucket& interval)
{
    Bucket bucket = interval;
    Bytes carried = before;
    for (const Point& point : points)
        carried = point.timeNs < interval.beginNs ? point.value : carried;
    bucket.min = bucket.max = bucket.last = carried;
    for (const Point& point : points) {
        if (point.timeNs < interval.beginNs || point.timeNs >= interval.endNs)
            continue;
        bucket.min = std::min(bucket.min, point.value);
        bucket.max = std::max(bucket.max, point.value);
        bucket.last = point.value;
    }
    return bucket;
}

void expectCovers(const std::vector<Bucket>& buckets, std::int64_t fromNs, std::int64_t toNs)
{
    ASSERT_FALSE(buckets.empty());
    EXPECT_LE(buckets.front().beginNs, fromNs);
    EXPECT_GE(buckets.back().endNs, toNs);
    for (std::size_t i = 1; i < buckets.size(); ++i)
        EXPECT_EQ(buckets[i].beginNs, buckets[i - 1].endNs);
}

TEST(PyramidTest, everyWindowEqualsBruteForce)
{
    const auto points = randomPoints(20'000, 5);
    Pyramid pyramid(123);
    for (const Point& point : points)
        pyramid.append(point.timeNs, point.value);
    std::mt19937_64 random(6);
    const std::int64_t first = points.front().timeNs - 1'000;
    const std::int64_t length = points.back().timeNs + 1'000 - first;
    for (int round = 0; round < 60; ++round) {
        const std::int64_t from = first + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(length));
        const std::int64_t to = from + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(length));
        const std::size_t width = 2 + random() % 40;
        const auto buckets = pyramid.query(from, to, width);
        EXPECT_LE(buckets.size(), width);
        expectCovers(buckets, from, to);
        for (const Bucket& bucket : buckets)
            EXPECT_EQ(bucket, bruteForce(points, 123, bucket));
    }
}

TEST(PyramidTest, isUpToDateAfterEveryPoint)
{
    const auto points = randomPoints(600, 8);
    Pyramid pyramid;
    std::vector<Point> fed;
    for (const Point& point : points) {
        pyramid.append(point.timeNs, point.value);
        fed.push_back(point);
        for (const Bucket& bucket : pyramid.query(points.front().timeNs, point.timeNs + 1, 3))
            EXPECT_EQ(bucket, bruteForce(fed, 0, bucket));
    }
}

TEST(PyramidTest, theWholeRangeHasTheExactExtremes)
{
    const auto points = randomPoints(300'000, 9);
    Pyramid pyramid(points.front().value);
    for (const Point& point : points)
        pyramid.append(point.timeNs, point.value);
    const auto compare = [](const Point& a, const Point& b) { return a.value < b.value; };
    const auto buckets = pyramid.query(points.front().timeNs, points.back().timeNs + 1, 800);
    const auto [low, high] = std::minmax_element(points.begin(), points.end(), compare);
    EXPECT_EQ(std::ranges::min_element(buckets, {}, &Bucket::min)->min, low->value);
    EXPECT_EQ(std::ranges::max_element(buckets, {}, &Bucket::max)->max, high->value);
    EXPECT_EQ(buckets.back().last, points.back().value);
}

// The nodes of a level are bounded by points and by width: this is what makes opening a long trace instant.
TEST(PyramidTest, keepsFewNodesForManyPoints)
{
    constexpr std::size_t kPoints = 2'000'000;
    Pyramid pyramid;
    for (std::size_t i = 0; i < kPoints; ++i)
        pyramid.append(static_cast<std::int64_t>(i) * 17, static_cast<Bytes>(i % 1000));
    const auto levels = pyramid.levels();
    std::size_t nodes = 0;
    for (const PyramidLevel& level : levels)
        nodes += level.nodes.size();
    EXPECT_LE(levels.front().nodes.size(), kPoints / 32 + 1);
    EXPECT_LE(nodes, kPoints / 20);
    EXPECT_EQ(levels.back().nodes.size(), 1U);
    EXPECT_EQ(pyramid.query(0, kPoints * 17, 1920).size(), BinRange::covering(0, kPoints * 17, 1920).count);
}

TEST(PyramidTest, levelsAgreeWithEachOther)
{
    Pyramid pyramid;
    for (const Point& point : randomPoints(50'000, 10))
        pyramid.append(point.timeNs, point.value);
    const auto levels = pyramid.levels();
    ASSERT_GT(levels.size(), 3U);
    for (std::size_t i = 1; i < levels.size(); ++i) {
        EXPECT_EQ(levels[i].shift, levels[i - 1].shift + 2);
        EXPECT_EQ(levels[i].nodes.back().last, levels[0].nodes.back().last);
        EXPECT_EQ(std::ranges::max_element(levels[i].nodes, {}, &PyramidNode::max)->max,
            std::ranges::max_element(levels[0].nodes, {}, &PyramidNode::max)->max);
    }
}

TEST(PyramidTest, aTimeThatRunsBackwardsCountsAsTheLatest)
{
    Pyramid pyramid;
    pyramid.append(100, 1);
    pyramid.append(50, 9);
    EXPECT_EQ(pyramid.query(100, 101, 1), (std::vector<Bucket>{{100, 101, 0, 9, 9}}));
}

TEST(PyramidTest, withoutPointsShowsTheValueBefore)
{
    EXPECT_EQ(Pyramid(42).query(0, 4, 1), (std::vector<Bucket>{{0, 4, 42, 42, 42}}));
}

} // namespace
} // namespace headroom::trace
