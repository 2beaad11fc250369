// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/CategoryPyramid.h"

#include "core/base/Crc32.h"
#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/pyramids/CategoryFold.h"
#include "tests/profiling/trace/pyramids/CategoryTrace.h"

#include <gtest/gtest.h>

#include <cstring>

namespace headroom::trace {
namespace {

constexpr Bytes kBefore = 12'345;

std::vector<CategoryPyramid::Chunk> chunksOf(
    const std::vector<AllocatorEvent>& events, std::size_t smallLevel = 0, Bytes before = kBefore)
{
    const OwnerCategories owners(testOwners());
    CategoryPyramid pyramid(CategoryCounters::ofUnknown(before));
    for (const AllocatorEvent& event : events) {
        if (CategoryCounters::isMovedBy(event.action))
            pyramid.append(event.timeNs, event, owners);
    }
    return pyramid.finish(smallLevel);
}

/// Every chunk of a level, folded over a range.
std::vector<CategoryBucket> fold(
    const std::vector<CategoryPyramid::Chunk>& chunks, int level, const BinRange& range, Bytes before = kBefore)
{
    CategoryFold fold(range, CategoryCounters::ofUnknown(before));
    for (const CategoryPyramid::Chunk& chunk : chunks) {
        const CategoryChunk decoded = decodeCategoryChunk(chunk.data);
        EXPECT_EQ(decoded.place(), chunk.place);
        if (chunk.place.shift == level)
            foldCategoryNodes(fold, level, decoded.nodes, range);
    }
    return fold.take();
}

void expectEveryLevelToTell(const std::vector<AllocatorEvent>& events)
{
    const auto chunks = chunksOf(events);
    std::mt19937 random(1);
    std::map<int, std::size_t> levels;
    for (const CategoryPyramid::Chunk& chunk : chunks)
        levels[chunk.place.shift] += chunk.place.count;
    EXPECT_GT(levels.size(), 3U);
    for (const auto& [level, count] : levels) {
        for (const int up : {0, 1, 3, 6}) {
            if (level + up > 60) // a bin of which two reach across all of time
                continue;
            const BinRange all = BinRange::ofShift(level + up, events.front().timeNs, events.back().timeNs + 1);
            const std::size_t width = std::min<std::size_t>(all.count, 200);
            const BinRange range{
                all.shift, all.first + static_cast<std::int64_t>(random() % (all.count - width + 1)) - 2, width + 4};
            EXPECT_TRUE(fold(chunks, level, range) == plainCategories(events, testOwners(), kBefore, range))
                << level << ' ' << up;
        }
    }
}

TEST(CategoryPyramidTest, everyLevelTellsWhatTheEventsSay)
{
    expectEveryLevelToTell(ownedTrace(40'000));
    expectEveryLevelToTell(ownedTrace(300'000, 2));
}

TEST(CategoryPyramidTest, wrappedCountersAreToldAsTheyAre)
{
    expectEveryLevelToTell(wrappingTrace(60'000, 3));
}

TEST(CategoryPyramidTest, categoriesOfEveryBucketSumToItsPeak)
{
    const auto events = ownedTrace(100'000, 4);
    const auto chunks = chunksOf(events);
    for (const CategoryPyramid::Chunk& chunk : chunks) {
        for (const CategoryNode& node : decodeCategoryChunk(chunk.data).nodes) {
            EXPECT_EQ(node.atMax.total(), node.max);
            EXPECT_EQ(node.atLast.total(), node.last);
        }
    }
}

TEST(CategoryPyramidTest, ofMomentsWithTheSamePeakTheFirstCounts)
{
    const std::vector<AllocatorEvent> events{{.timeNs = 1, .bytes = 100, .action = Action::Alloc, .owner = 1},
        {.timeNs = 2, .bytes = 100, .action = Action::Relabelled, .owner = 2, .previousOwner = 1}};
    const auto buckets = fold(chunksOf(events, 0, 0), 0, {.shift = 2, .first = 0, .count = 2}, 0);
    EXPECT_EQ(buckets[0].atMax.of(testOwners()[1].category), 100);
    EXPECT_EQ(buckets[1].atMax.of(testOwners()[2].category), 100);
}

TEST(CategoryPyramidTest, aLongTraceTakesAFewBytesAnEvent)
{
    constexpr std::size_t kEvents = 1'000'000;
    std::size_t bytes = 0;
    for (const CategoryPyramid::Chunk& chunk : chunksOf(ownedTrace(kEvents)))
        bytes += chunk.data.size();
    EXPECT_LT(bytes, 4 * kEvents);
}

TEST(CategoryPyramidTest, levelsBeyondTheFirstSmallOneAreLeftOut)
{
    std::map<int, std::size_t> levels;
    for (const CategoryPyramid::Chunk& chunk : chunksOf(ownedTrace(100'000), 1'024))
        levels[chunk.place.shift] += chunk.place.count;
    for (auto level = levels.begin(); level != levels.end(); ++level)
        EXPECT_EQ(level->second <= 1'024, std::next(level) == levels.end());
}

TEST(CategoryPyramidTest, afterAGapItGoesOnWithWhatIsHeldThen)
{
    const OwnerCategories owners(testOwners());
    CategoryPyramid pyramid(CategoryCounters::ofUnknown(0));
    pyramid.append(1, {.bytes = 5, .owner = 1}, owners);
    pyramid.resume(CategoryCounters::ofUnknown(70));
    pyramid.append(9, {.bytes = 1, .owner = 1}, owners);
    const CategoryChunk chunk = decodeCategoryChunk(pyramid.finish(0).front().data);
    ASSERT_EQ(chunk.nodes.size(), 2U);
    EXPECT_EQ(chunk.nodes[0].last, 5);
    EXPECT_EQ(chunk.nodes[1].last, 71);
}

TEST(CategoryChunkTest, damageNeverEscapesIt)
{
    const auto original = chunksOf(ownedTrace(3'000)).front().data;
    std::mt19937 random(5);
    int refused = 0;
    for (int round = 0; round < 5'000; ++round) {
        auto data = original;
        for (auto changes = 1 + random() % 4; changes > 0; --changes)
            data[random() % data.size()] = static_cast<std::byte>(random());
        if (random() % 4 == 0)
            data.resize(116 + random() % (data.size() - 116));
        if (random() % 8 != 0) {
            const std::uint32_t sum = crc32(std::span(data).first(data.size() - 4));
            std::memcpy(data.data() + data.size() - 4, &sum, 4);
        }
        try {
            EXPECT_LE(decodeCategoryChunk(data).nodes.size(), kMaxCategoryChunkNodes);
        } catch (const MalformedBlock&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 1'000);
}

TEST(CategoryChunkTest, refusesMoreNodesThanItHolds)
{
    EXPECT_THROW(encodeCategoryChunk(0, {}, std::vector<CategoryNode>(kMaxCategoryChunkNodes + 1)), UsageError);
    EXPECT_THROW(encodeCategoryChunk(0, {}, {}), UsageError);
}

} // namespace
} // namespace headroom::trace
