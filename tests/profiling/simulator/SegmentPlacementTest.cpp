// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/SegmentPlacement.h"

#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"
#include "profiling/simulator/devices/RequestMirror.h"

#include <gtest/gtest.h>

namespace headroom::simulator::segment_placement_test {
namespace {

using config::SegmentAddresses;

constexpr Address kStep = 2 * kMiB;

DeviceCapacity roomFor(Bytes bytes, SegmentAddresses order)
{
    return {bytes, bytes, order};
}

TEST(SegmentPlacementTest, ascendingNeverGoesBack)
{
    SegmentPlacement placement(SegmentAddresses::Ascending);
    const Address first = placement.place(2 * kMiB);
    const Address second = placement.place(20 * kMiB);
    EXPECT_EQ(second, first + kStep);
    placement.giveBack(second);
    EXPECT_EQ(placement.place(2 * kMiB), second + 10 * kStep);
}

TEST(SegmentPlacementTest, linuxGoesDownwardInChunksOf32MiB)
{
    SegmentPlacement placement(SegmentAddresses::Linux);
    const Address first = placement.place(32 * kMiB);
    EXPECT_EQ(placement.place(32 * kMiB), first - 16 * kStep);
    EXPECT_EQ(placement.place(44 * kMiB), first - 16 * kStep - 32 * kStep) << "64 MiB, from their beginning";
}

TEST(SegmentPlacementTest, linuxFillsTheLowestGapOfAChunkFirst)
{
    SegmentPlacement placement(SegmentAddresses::Linux);
    const Address upper = placement.place(20 * kMiB);
    EXPECT_EQ(placement.place(2 * kMiB), upper + 10 * kStep);
    const Address lower = placement.place(44 * kMiB);
    EXPECT_LT(lower, upper);
    EXPECT_EQ(placement.place(2 * kMiB), lower + 22 * kStep) << "the tail behind the 44 MiB lies below the other one";
    EXPECT_EQ(placement.place(20 * kMiB), lower - 16 * kStep) << "18 MiB are left there and 10 in the upper chunk";
}

TEST(SegmentPlacementTest, linuxTakesTheHighestHoleOfAChunkThatIsGone)
{
    SegmentPlacement placement(SegmentAddresses::Linux);
    const Address first = placement.place(32 * kMiB);
    const Address second = placement.place(64 * kMiB);
    const Address third = placement.place(32 * kMiB);
    placement.giveBack(second);
    EXPECT_EQ(placement.place(96 * kMiB), third - 48 * kStep) << "too large for the hole";
    EXPECT_EQ(placement.place(32 * kMiB), first - 16 * kStep) << "the top of the hole";
    placement.giveBack(first);
    EXPECT_EQ(placement.place(30 * kMiB), first);
}

TEST(SegmentPlacementTest, whatIsAdoptedIsGoneRound)
{
    constexpr Address kRecorded = Address{0x7f0000000000};
    SegmentPlacement placement(SegmentAddresses::Linux);
    placement.adopt(kRecorded, 20 * kMiB);
    placement.adopt(kRecorded + 10 * kStep, 2 * kMiB);
    EXPECT_EQ(placement.place(2 * kMiB), kRecorded + 11 * kStep);
    EXPECT_EQ(placement.place(20 * kMiB), kRecorded - 16 * kStep);
    placement.giveBack(kRecorded);
    EXPECT_EQ(placement.place(20 * kMiB), kRecorded);
}

// Of two equal free blocks the lower one is used again: the segment of the other one stays whole and can be returned.
TEST(SegmentPlacementTest, decidesWhichOfTwoEqualBlocksIsUsedAgain)
{
    const auto isOlderUsed = [](SegmentAddresses order) {
        CachingAllocator allocator(roomFor(kGiB, order));
        const Address older = allocator.allocate(32 * kMiB);
        const Address newer = allocator.allocate(32 * kMiB);
        allocator.free(older);
        allocator.free(newer);
        return allocator.allocate(32 * kMiB) == older;
    };
    EXPECT_TRUE(isOlderUsed(SegmentAddresses::Ascending));
    EXPECT_FALSE(isOlderUsed(SegmentAddresses::Linux));
}

TEST(SegmentPlacementTest, aDictatedSegmentLiesWhereItIsTo)
{
    CachingAllocator allocator(roomFor(kGiB, SegmentAddresses::Ascending));
    allocator.dictateSegment(Address{77} << 30);
    EXPECT_EQ(allocator.allocate(32 * kMiB), Address{77} << 30);
    EXPECT_NE(allocator.allocate(32 * kMiB), Address{77} << 30) << "only the next one";
}

TEST(SegmentPlacementTest, aDictatedPlaceThatIsTakenIsNotTakenTwice)
{
    for (const SegmentAddresses order : {SegmentAddresses::Ascending, SegmentAddresses::Linux}) {
        CachingAllocator allocator(roomFor(kGiB, order));
        const Address place = Address{77} << 30;
        allocator.dictateSegment(place);
        const Address first = allocator.allocate(64 * kMiB);
        allocator.dictateSegment(place + 32 * kMiB);
        const Address within = allocator.allocate(32 * kMiB);
        allocator.dictateSegment(place - 16 * kMiB);
        const Address overlapping = allocator.allocate(32 * kMiB);
        EXPECT_EQ(first, place);
        EXPECT_TRUE(within + 32 * kMiB <= place || within >= place + 64 * kMiB);
        EXPECT_TRUE(overlapping + 32 * kMiB <= place || overlapping >= place + 64 * kMiB);
        for (const Address block : {first, within, overlapping})
            allocator.free(block);
        allocator.emptyCache();
        allocator.dictateSegment(place + 32 * kMiB);
        EXPECT_EQ(allocator.allocate(32 * kMiB), place + 32 * kMiB) << "it has been given back";
    }
}

TEST(RequestMirrorTest, reservesWhatItsOwnAllocatorWould)
{
    CachingAllocator allocator;
    RequestMirror mirror(std::make_unique<CachingAllocator>());
    const Address block = allocator.allocate(32 * kMiB);
    mirror.allocated(block, 32 * kMiB);
    mirror.allocated(0, 0);
    EXPECT_EQ(mirror.reservedBytes(), 32 * kMiB);
    mirror.freed(block);
    EXPECT_EQ(mirror.reservedBytes(), 32 * kMiB) << "cached";
    mirror.emptyCache();
    EXPECT_EQ(mirror.reservedBytes(), 0);
    EXPECT_EQ(mirror.peakReservedBytes(), 32 * kMiB);
    mirror.resetPeakStats();
    EXPECT_EQ(mirror.peakReservedBytes(), 0);
}

TEST(RequestMirrorTest, tellsWhatItLacksWhereItRunsOutUntilThePeakIsReset)
{
    RequestMirror mirror(std::make_unique<CachingAllocator>(roomFor(64 * kMiB, SegmentAddresses::Linux)));
    mirror.allocated(1, 40 * kMiB);
    mirror.allocated(2, 30 * kMiB);
    EXPECT_EQ(mirror.reservedBytes(), 40 * kMiB);
    EXPECT_EQ(mirror.peakReservedBytes(), 70 * kMiB);
    mirror.freed(1);
    mirror.freed(2);
    mirror.emptyCache();
    mirror.resetPeakStats();
    mirror.allocated(3, 30 * kMiB);
    mirror.freed(3);
    EXPECT_EQ(mirror.peakReservedBytes(), 30 * kMiB) << "what came before is forgotten, and what it held is free";
}

} // namespace
} // namespace headroom::simulator::segment_placement_test
