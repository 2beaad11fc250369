// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/CachingAllocator.h"

#include "core/base/Error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace headroom::simulator::caching_allocator_test {
namespace {

using testing::ElementsAre;
using trace::Action;

Bytes reserved(const SimulatedAllocator& allocator)
{
    return allocator.stats().reservedBytes.aggregate.current;
}

TEST(CachingAllocatorTest, zeroBytesGiveTheNullAddressAndLeaveNoTrace)
{
    CachingAllocator allocator;
    int events = 0;
    allocator.setObserver([&events](const trace::AllocatorEvent&) { ++events; });
    EXPECT_EQ(allocator.allocate(0), 0u);
    allocator.free(0);
    EXPECT_EQ(events, 0);
    EXPECT_EQ(allocator.stats(), DeviceStats{});
}

TEST(CachingAllocatorTest, refusesNegativeRequestsAndForeignAddresses)
{
    CachingAllocator allocator;
    EXPECT_THROW(allocator.allocate(-1), Error);
    EXPECT_THROW(allocator.free(12345), Error);
    const Address block = allocator.allocate(512);
    allocator.free(block);
    EXPECT_THROW(allocator.free(block), Error);
    EXPECT_THROW(allocator.recordStream(block, 1), Error);
}

TEST(CachingAllocatorTest, aLargeRemainderIsSplitOnlyAboveOneMiB)
{
    CachingAllocator exact;
    exact.allocate(20 * kMiB);
    exact.free(exact.snapshot().segments[0].address);
    exact.allocate(19 * kMiB); // remainder 1 MiB: not split
    EXPECT_EQ(exact.stats().allocatedBytes.aggregate.current, 20 * kMiB);

    CachingAllocator above;
    above.free(above.allocate(20 * kMiB));
    above.allocate(19 * kMiB - 512); // remainder 1 MiB + 512
    EXPECT_EQ(above.stats().allocatedBytes.aggregate.current, 19 * kMiB - 512);
}

TEST(CachingAllocatorTest, aSmallRemainderOf512IsSplit)
{
    CachingAllocator allocator;
    allocator.allocate(kMiB);
    allocator.allocate(kMiB - 512);
    const auto blocks = allocator.snapshot().segments.at(0).blocks;
    ASSERT_EQ(blocks.size(), 3u);
    EXPECT_EQ(blocks[2].bytes, 512);
    EXPECT_EQ(blocks[2].state, BlockState::Inactive);
}

TEST(CachingAllocatorTest, theLowPartIsHandedOutAndTheTailCached)
{
    CachingAllocator allocator;
    const Address first = allocator.allocate(3 * kMiB);
    const Address second = allocator.allocate(2 * kMiB);
    EXPECT_EQ(first, allocator.snapshot().segments.at(0).address);
    EXPECT_EQ(second, first + static_cast<Address>(3 * kMiB));
}

TEST(CachingAllocatorTest, bestFitTakesTheSmallestThenTheLowestBlock)
{
    CachingAllocator allocator;
    const Address large = allocator.allocate(60 * kMiB);
    const Address firstEqual = allocator.allocate(40 * kMiB);
    const Address secondEqual = allocator.allocate(40 * kMiB);
    allocator.free(secondEqual);
    allocator.free(large);
    allocator.free(firstEqual);
    EXPECT_EQ(allocator.allocate(39 * kMiB), firstEqual);
    EXPECT_EQ(allocator.allocate(39 * kMiB), secondEqual);
    EXPECT_EQ(allocator.allocate(39 * kMiB), large);
}

TEST(CachingAllocatorTest, aSecondCandidateIsNeverTried)
{
    // 64 MiB asks; the best fit, 90 MiB, is more than 20 MiB larger. Nothing else is looked at.
    CachingAllocator allocator({}, parseAllocatorSettings("max_split_size_mb:64"));
    const Address oversize = allocator.allocate(90 * kMiB);
    const Address larger = allocator.allocate(120 * kMiB);
    allocator.free(oversize);
    allocator.free(larger);
    allocator.allocate(64 * kMiB);
    EXPECT_EQ(reserved(allocator), (90 + 120 + 64) * kMiB);
}

TEST(CachingAllocatorTest, aFreedBlockMergesWithPreviousThenNext)
{
    CachingAllocator allocator;
    const Address a = allocator.allocate(4 * kMiB);
    const Address b = allocator.allocate(4 * kMiB);
    const Address c = allocator.allocate(4 * kMiB);
    allocator.allocate(8 * kMiB);
    allocator.free(a);
    allocator.free(c);
    EXPECT_EQ(allocator.stats().inactiveSplit.aggregate.current, 2);
    EXPECT_EQ(allocator.stats().inactiveSplitBytes.aggregate.current, 8 * kMiB);
    allocator.free(b);
    EXPECT_EQ(allocator.stats().inactiveSplit.aggregate.current, 1);
    EXPECT_EQ(allocator.stats().inactiveSplitBytes.aggregate.current, 12 * kMiB);
    EXPECT_EQ(allocator.allocate(12 * kMiB), a);
}

TEST(CachingAllocatorTest, emptyCacheKeepsSegmentsThatAreSplitAndInUse)
{
    CachingAllocator allocator;
    const Address kept = allocator.allocate(5 * kMiB);
    allocator.free(allocator.allocate(5 * kMiB));
    allocator.free(allocator.allocate(30 * kMiB));
    EXPECT_EQ(reserved(allocator), 50 * kMiB);
    allocator.emptyCache();
    EXPECT_EQ(reserved(allocator), 20 * kMiB);
    EXPECT_EQ(allocator.stats().inactiveSplitBytes.aggregate.current, 15 * kMiB);
    EXPECT_EQ(allocator.stats().segment.aggregate.current, 1);
    allocator.free(kept);
    allocator.emptyCache();
    EXPECT_EQ(reserved(allocator), 0);
    EXPECT_EQ(allocator.stats().numDeviceAlloc, 2);
    EXPECT_EQ(allocator.stats().numDeviceFree, 2);
}

TEST(CachingAllocatorTest, keepsStatisticsForEachPool)
{
    CachingAllocator allocator;
    allocator.allocate(100);
    allocator.allocate(3 * kMiB);
    const DeviceStats& stats = allocator.stats();
    EXPECT_EQ(stats.reservedBytes.small.current, 2 * kMiB);
    EXPECT_EQ(stats.reservedBytes.large.current, 20 * kMiB);
    EXPECT_EQ(stats.requestedBytes.small.current, 100);
    EXPECT_EQ(stats.allocation.large.current, 1);
    EXPECT_EQ(stats.segment.aggregate.current, 2);
    EXPECT_EQ(stats.inactiveSplitBytes.small.current, 2 * kMiB - 512);
    EXPECT_EQ(stats.inactiveSplitBytes.large.current, 17 * kMiB);
}

TEST(CachingAllocatorTest, resettingPeaksStartsFromWhatIsHeld)
{
    CachingAllocator allocator;
    allocator.free(allocator.allocate(40 * kMiB));
    allocator.allocate(512);
    EXPECT_EQ(allocator.stats().allocatedBytes.aggregate.peak, 40 * kMiB);
    allocator.resetPeakStats();
    EXPECT_EQ(allocator.stats().allocatedBytes.aggregate.peak, 512);
    EXPECT_EQ(allocator.stats().reservedBytes.aggregate.peak, 42 * kMiB);
    EXPECT_EQ(allocator.stats().allocatedBytes.aggregate.allocated, 40 * kMiB + 512);
}

TEST(CachingAllocatorTest, countsOversizeBlocksAndSegments)
{
    CachingAllocator allocator({}, parseAllocatorSettings("max_split_size_mb:64"));
    const Address block = allocator.allocate(64 * kMiB);
    allocator.allocate(62 * kMiB + kMiB / 2);
    EXPECT_EQ(allocator.stats().oversizeAllocations.current, 1);
    EXPECT_EQ(allocator.stats().oversizeSegments.current, 2); // the second block was split off one of 64 MiB
    allocator.free(block);
    EXPECT_EQ(allocator.stats().oversizeAllocations.current, 0);
    allocator.emptyCache();
    EXPECT_EQ(allocator.stats().oversizeSegments.current, 1);
}

TEST(CachingAllocatorTest, tellsTheObserverEveryStepWithTheClocksTime)
{
    CachingAllocator allocator;
    std::vector<trace::AllocatorEvent> events;
    std::int64_t now = 0;
    allocator.setClock([&now] { return now += 10; });
    allocator.setObserver([&events](const trace::AllocatorEvent& event) { events.push_back(event); });
    const Address block = allocator.allocate(700, 3);
    allocator.free(block);
    allocator.emptyCache();
    EXPECT_THAT(events,
        ElementsAre(trace::AllocatorEvent{10, block, 2 * kMiB, 2 * kMiB, 3, Action::SegmentAlloc},
            trace::AllocatorEvent{20, block, 1024, 700, 3, Action::Alloc},
            trace::AllocatorEvent{30, block, 1024, 700, 3, Action::FreeRequested},
            trace::AllocatorEvent{40, block, 1024, 700, 3, Action::FreeCompleted},
            trace::AllocatorEvent{50, block, 2 * kMiB, 2 * kMiB, 3, Action::SegmentFree}));
}

TEST(CachingAllocatorTest, segmentAddressesAscendAndAreNeverReused)
{
    CachingAllocator allocator;
    const Address first = allocator.allocate(30 * kMiB);
    allocator.free(first);
    allocator.emptyCache();
    EXPECT_GT(allocator.allocate(30 * kMiB), first);
}

TEST(CachingAllocatorTest, garbageCollectionFreesBlocksAtLeastAsOldAsTheMean)
{
    CachingAllocator allocator({.limitBytes = 300 * kMiB},
        parseAllocatorSettings("garbage_collection_threshold:0.5,per_process_memory_fraction:1.0"));
    const Address older = allocator.allocate(30 * kMiB);
    const Address younger = allocator.allocate(40 * kMiB);
    allocator.allocate(50 * kMiB);
    allocator.free(older);
    allocator.allocate(60 * kMiB); // one search of the large pool later; 120 MiB were below the threshold of 150
    allocator.free(younger);
    ASSERT_EQ(reserved(allocator), 180 * kMiB);
    allocator.allocate(70 * kMiB); // ages 2 and 1, mean 1.5: one goes, and that is enough
    EXPECT_EQ(reserved(allocator), (180 - 30 + 70) * kMiB);
    EXPECT_EQ(allocator.allocate(40 * kMiB), younger);
    EXPECT_EQ(allocator.stats().numAllocRetries, 0);
}

TEST(CachingAllocatorTest, garbageCollectionSweepsUntilItIsBelowTheThreshold)
{
    CachingAllocator allocator({.limitBytes = 300 * kMiB},
        parseAllocatorSettings("garbage_collection_threshold:0.4,per_process_memory_fraction:1.0"));
    const Address older = allocator.allocate(30 * kMiB);
    const Address younger = allocator.allocate(40 * kMiB);
    allocator.allocate(50 * kMiB);
    allocator.free(older);
    allocator.allocate(60 * kMiB);
    allocator.free(younger);
    allocator.allocate(70 * kMiB); // 180 MiB against 120: both must go
    EXPECT_EQ(reserved(allocator), (50 + 60 + 70) * kMiB);
}

TEST(CachingAllocatorTest, garbageCollectionNeedsAFraction)
{
    CachingAllocator allocator({.limitBytes = 200 * kMiB}, parseAllocatorSettings("garbage_collection_threshold:0.1"));
    allocator.free(allocator.allocate(30 * kMiB));
    allocator.allocate(40 * kMiB);
    EXPECT_EQ(reserved(allocator), 70 * kMiB);
    allocator.setMemoryFraction(1.0);
    allocator.allocate(50 * kMiB);
    EXPECT_EQ(reserved(allocator), (40 + 50) * kMiB);
}

} // namespace
} // namespace headroom::simulator::caching_allocator_test
