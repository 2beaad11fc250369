// SPDX-License-Identifier: Apache-2.0
//
// Small programs whose outcome follows from the published rules of PyTorch's caching allocator by hand.
#include "profiling/simulator/CachingAllocator.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace headroom::simulator::caching_allocator_vectors_test {
namespace {

struct Outcome {
    Bytes requested;
    Bytes allocated;
    Bytes reserved;

    bool operator==(const Outcome&) const = default;
};

void PrintTo(const Outcome& outcome, std::ostream* out)
{
    *out << outcome.requested << " requested, " << outcome.allocated << " allocated, " << outcome.reserved
         << " reserved";
}

Outcome outcomeOf(const CachingAllocator& allocator)
{
    const DeviceStats& stats = allocator.stats();
    return {stats.requestedBytes.aggregate.current, stats.allocatedBytes.aggregate.current,
        stats.reservedBytes.aggregate.current};
}

std::vector<Address> allocateAll(CachingAllocator& allocator, std::initializer_list<Bytes> sizes)
{
    std::vector<Address> addresses;
    for (const Bytes size : sizes)
        addresses.push_back(allocator.allocate(size));
    return addresses;
}

void freeAll(CachingAllocator& allocator, const std::vector<Address>& addresses)
{
    for (const Address address : addresses)
        allocator.free(address);
}

constexpr Bytes kOneAndAHalfMiB = kMiB + kMiB / 2;

TEST(CachingAllocatorVectorsTest, oneByteTakesABlockOf512AndASegmentOf2MiB)
{
    CachingAllocator allocator;
    allocator.allocate(1);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{1, 512, 2 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, smallRequestsUpToOneMiBShareASmallSegment)
{
    CachingAllocator allocator;
    allocateAll(allocator, {1, 600, kMiB});
    EXPECT_EQ(outcomeOf(allocator), (Outcome{1049177, 1050112, 2 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, oneByteAboveOneMiBTakesALargeSegment)
{
    CachingAllocator allocator;
    allocator.allocate(kMiB + 1);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{1048577, 1049088, 20 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, aRemainderOfLessThanOneMiBStaysWithTheBlock)
{
    CachingAllocator allocator;
    allocateAll(allocator, {9 * kMiB, 9 * kMiB, kOneAndAHalfMiB});
    EXPECT_EQ(outcomeOf(allocator), (Outcome{20447232, 20971520, 20 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, freedNeighboursMergeIntoTheWholeSegment)
{
    CachingAllocator allocator;
    freeAll(allocator, allocateAll(allocator, {9 * kMiB, 9 * kMiB, kOneAndAHalfMiB}));
    allocator.allocate(19 * kMiB);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{19922944, 20971520, 20 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, fromTenMiBSegmentsAreMadeToMeasureInStepsOf2MiB)
{
    CachingAllocator allocator;
    allocateAll(allocator, {10 * kMiB, 10 * kMiB + 1});
    EXPECT_EQ(outcomeOf(allocator), (Outcome{20971521, 20972032, 22 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, aFreedBlockIsSplitForTwoSmallerOnes)
{
    CachingAllocator allocator;
    const auto blocks = allocateAll(allocator, {100 * kMiB, 100 * kMiB, 100 * kMiB});
    allocator.free(blocks[1]);
    allocateAll(allocator, {60 * kMiB, 40 * kMiB});
    EXPECT_EQ(outcomeOf(allocator), (Outcome{300 * kMiB, 300 * kMiB, 300 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, aCachedBlockThatIsTooSmallStaysBesideTheNewSegment)
{
    CachingAllocator allocator;
    allocator.free(allocator.allocate(100 * kMiB));
    allocator.allocate(101 * kMiB);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{101 * kMiB, 102 * kMiB, 202 * kMiB}));
    EXPECT_EQ(allocator.stats().numAllocRetries, 0);
}

TEST(CachingAllocatorVectorsTest, whereBothDoNotFitTheCacheIsFlushedOnce)
{
    CachingAllocator allocator({.limitBytes = 180 * kMiB});
    allocator.free(allocator.allocate(100 * kMiB));
    allocator.allocate(101 * kMiB);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{101 * kMiB, 102 * kMiB, 102 * kMiB}));
    EXPECT_EQ(allocator.stats().numAllocRetries, 1);
    EXPECT_EQ(allocator.stats().numOoms, 0);
}

TEST(CachingAllocatorVectorsTest, anExpandableSegmentGrowsInsteadOfFragmenting)
{
    CachingAllocator allocator({}, parseAllocatorSettings("expandable_segments:True"));
    allocator.free(allocator.allocate(100 * kMiB));
    allocator.allocate(101 * kMiB);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{101 * kMiB, 101 * kMiB, 120 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, expandableSegmentsMapPagesOf2And20MiB)
{
    CachingAllocator allocator({}, parseAllocatorSettings("expandable_segments:True"));
    allocateAll(allocator, {1, 3 * kMiB});
    EXPECT_EQ(outcomeOf(allocator), (Outcome{3145729, 3146240, 22 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, maxSplitKeepsALargeBlockFromASmallRequest)
{
    CachingAllocator allocator({}, parseAllocatorSettings("max_split_size_mb:64"));
    allocator.free(allocator.allocate(100 * kMiB));
    allocator.allocate(10 * kMiB);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{10 * kMiB, 10 * kMiB, 110 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, anOversizeRequestReusesABlockThatIsLessThan20MiBLarger)
{
    CachingAllocator allocator({}, parseAllocatorSettings("max_split_size_mb:64"));
    allocator.free(allocator.allocate(100 * kMiB));
    allocator.allocate(85 * kMiB);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{85 * kMiB, 100 * kMiB, 100 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, anOversizeRequestRefusesABlockThatIs20MiBLarger)
{
    CachingAllocator allocator({}, parseAllocatorSettings("max_split_size_mb:64"));
    allocator.free(allocator.allocate(100 * kMiB));
    allocator.allocate(80 * kMiB);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{80 * kMiB, 80 * kMiB, 180 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, streamsDoNotShareCachedBlocks)
{
    CachingAllocator allocator;
    allocator.free(allocator.allocate(5 * kMiB, 0));
    allocator.allocate(5 * kMiB, 1);
    EXPECT_EQ(outcomeOf(allocator), (Outcome{5 * kMiB, 5 * kMiB, 40 * kMiB}));
}

TEST(CachingAllocatorVectorsTest, divisionsRoundToStepsBetweenPowersOfTwo)
{
    const AllocatorSettings settings = parseAllocatorSettings("roundup_power2_divisions:4");
    const auto allocatedFor = [&settings](Bytes bytes) {
        CachingAllocator allocator({}, settings);
        allocator.allocate(bytes);
        return allocator.stats().allocatedBytes.aggregate.current;
    };
    EXPECT_EQ(allocatedFor(1200), 1536);
    EXPECT_EQ(allocatedFor(5000), 5120);
    EXPECT_EQ(allocatedFor(1363149), kOneAndAHalfMiB); // 1.3 MiB
    EXPECT_EQ(allocatedFor(100 * kMiB + 1), 112 * kMiB);
}

} // namespace
} // namespace headroom::simulator::caching_allocator_vectors_test
