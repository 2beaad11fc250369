// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"
#include "tests/support/Refusal.h"

#include <gtest/gtest.h>

#include <vector>

namespace headroom::simulator::expandable_segments_test {
namespace {

AllocatorSettings expandable()
{
    return parseAllocatorSettings("expandable_segments:True");
}

Bytes reserved(const SimulatedAllocator& allocator)
{
    return allocator.stats().reservedBytes.aggregate.current;
}

TEST(ExpandableSegmentsTest, growsOneRangePerStreamAndPool)
{
    CachingAllocator allocator({}, expandable());
    const Address first = allocator.allocate(30 * kMiB);
    const Address second = allocator.allocate(30 * kMiB);
    EXPECT_EQ(second, first + static_cast<Address>(30 * kMiB));
    EXPECT_EQ(reserved(allocator), 60 * kMiB);
    allocator.allocate(30 * kMiB, 1);
    EXPECT_EQ(reserved(allocator), 100 * kMiB);
    EXPECT_EQ(allocator.snapshot().segments.size(), 2u);
}

TEST(ExpandableSegmentsTest, doesNotCountSegmentsNorInactiveSplits)
{
    CachingAllocator allocator({}, expandable());
    const Address first = allocator.allocate(5 * kMiB);
    allocator.allocate(5 * kMiB);
    allocator.free(first);
    EXPECT_EQ(allocator.stats().segment.aggregate, Stat{});
    EXPECT_EQ(allocator.stats().inactiveSplit.aggregate, Stat{});
    EXPECT_EQ(allocator.stats().numDeviceAlloc, 1);
}

TEST(ExpandableSegmentsTest, splitsLargeBlocksDownTo512Bytes)
{
    CachingAllocator allocator({}, expandable());
    allocator.allocate(20 * kMiB - 512);
    EXPECT_EQ(allocator.stats().allocatedBytes.aggregate.current, 20 * kMiB - 512);
    EXPECT_EQ(allocator.snapshot().segments.at(0).blocks.size(), 2u);
}

TEST(ExpandableSegmentsTest, aFreeBlockThatCannotGrowIsPreferredToTheOpenEnd)
{
    // The tail behind the last block is smaller, but it could grow: best fit counts what it could become.
    CachingAllocator allocator({}, expandable());
    const Address hole = allocator.allocate(18 * kMiB);
    allocator.allocate(10 * kMiB); // 12 MiB stay mapped behind it
    allocator.free(hole);
    EXPECT_EQ(allocator.allocate(8 * kMiB), hole);
    EXPECT_EQ(reserved(allocator), 40 * kMiB);
}

TEST(ExpandableSegmentsTest, emptyCacheUnmapsWholeFreePagesOnly)
{
    CachingAllocator allocator({}, expandable());
    const Address big = allocator.allocate(70 * kMiB);
    const Address last = allocator.allocate(5 * kMiB);
    allocator.free(big);
    EXPECT_EQ(reserved(allocator), 80 * kMiB);
    allocator.emptyCache();
    EXPECT_EQ(reserved(allocator), 20 * kMiB); // the page that `last` is on
    const auto segment = allocator.snapshot().segments.at(0);
    EXPECT_EQ(segment.kind, SegmentKind::Expandable);
    EXPECT_EQ(segment.address, big + static_cast<Address>(60 * kMiB));
    EXPECT_EQ(segment.totalBytes, 20 * kMiB);
    allocator.free(last);
    allocator.emptyCache();
    EXPECT_EQ(reserved(allocator), 0);
    EXPECT_TRUE(allocator.snapshot().segments.empty());
}

TEST(ExpandableSegmentsTest, anUnmappedHoleIsMappedAgainBeforeTheEnd)
{
    CachingAllocator allocator({}, expandable());
    const Address hole = allocator.allocate(60 * kMiB);
    allocator.allocate(20 * kMiB);
    allocator.free(hole);
    allocator.emptyCache();
    EXPECT_EQ(allocator.allocate(40 * kMiB), hole);
    EXPECT_EQ(reserved(allocator), 60 * kMiB);
}

TEST(ExpandableSegmentsTest, flushesFreePagesOfOtherPoolsWhenTheDeviceIsFull)
{
    CachingAllocator allocator({.limitBytes = 120 * kMiB}, expandable());
    allocator.free(allocator.allocate(60 * kMiB, 1));
    allocator.allocate(100 * kMiB);
    EXPECT_EQ(reserved(allocator), 100 * kMiB);
    EXPECT_EQ(allocator.stats().numAllocRetries, 1);
}

TEST(ExpandableSegmentsTest, outOfMemoryCountsWholePages)
{
    CachingAllocator allocator({.limitBytes = 50 * kMiB}, expandable());
    allocator.allocate(40 * kMiB);
    const auto error = errorOf<OutOfMemory>([&] { allocator.allocate(15 * kMiB); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->facts().segmentBytes, 20 * kMiB);
    EXPECT_EQ(error->facts().freeDeviceBytes, 10 * kMiB);
    EXPECT_EQ(error->facts().missingBytes, 10 * kMiB);
}

TEST(ExpandableSegmentsTest, pagesHaveTheLargeSegmentSize)
{
    CachingAllocator allocator({}, parseAllocatorSettings("expandable_segments:True,large_segment_size_mb:32"));
    allocator.allocate(33 * kMiB);
    EXPECT_EQ(reserved(allocator), 64 * kMiB);
}

TEST(ExpandableSegmentsTest, tellsMapsAndUnmaps)
{
    CachingAllocator allocator({}, expandable());
    std::vector<trace::AllocatorEvent> events;
    allocator.setObserver([&events](const trace::AllocatorEvent& event) { events.push_back(event); });
    const Address block = allocator.allocate(30 * kMiB);
    allocator.free(block);
    allocator.emptyCache();
    ASSERT_EQ(events.size(), 5u);
    EXPECT_EQ(events[0], (trace::AllocatorEvent{0, block, 40 * kMiB, 40 * kMiB, 0, trace::Action::SegmentMap}));
    EXPECT_EQ(events[4], (trace::AllocatorEvent{0, block, 40 * kMiB, 40 * kMiB, 0, trace::Action::SegmentUnmap}));
}

} // namespace
} // namespace headroom::simulator::expandable_segments_test
