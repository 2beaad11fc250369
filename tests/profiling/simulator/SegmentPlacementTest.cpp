// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/SegmentPlacement.h"

#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"
#include "profiling/simulator/devices/RequestMirror.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

namespace headroom::simulator::segment_placement_test {
namespace {

using config::SegmentAddresses;

constexpr Address kStep = 2 * kMiB;

DeviceCapacity roomFor(Bytes bytes, SegmentAddresses order)
{
    return {bytes, bytes, order};
}

/// The same rules, looked up anew each time: which places of 2 MiB are taken, and which belong to a chunk.
class SearchedPlacement {
public:
    Address place(Bytes bytes)
    {
        const auto count = static_cast<std::int64_t>(bytes / (2 * kMiB));
        for (auto chunk = m_chunks.begin(); chunk != m_chunks.end(); ++chunk)
            for (std::int64_t at = chunk->first; at + count <= chunk->second; ++at)
                if (isFree(at, at + count))
                    return put(at, count);
        const std::int64_t room = (count + kChunk - 1) / kChunk * kChunk;
        std::int64_t end = m_top == 0 ? (std::int64_t{1} << 47) / std::int64_t{kStep} : m_top;
        while (!isOutside(end - room, end))
            end -= kChunk;
        m_chunks[end - room] = end;
        m_top = std::max(m_top, end);
        return put(end - room, count);
    }

    void adopt(Address address, Bytes bytes)
    {
        const auto at = static_cast<std::int64_t>(address / kStep);
        const auto count = static_cast<std::int64_t>(bytes / (2 * kMiB));
        std::int64_t begin = at / kChunk * kChunk;
        std::int64_t end = (at + count + kChunk - 1) / kChunk * kChunk;
        m_top = std::max(m_top, end);
        for (auto chunk = m_chunks.begin(); chunk != m_chunks.end();) {
            const bool isApart = chunk->first >= end || chunk->second <= begin;
            if (!isApart) {
                begin = std::min(begin, chunk->first);
                end = std::max(end, chunk->second);
            }
            chunk = isApart ? std::next(chunk) : m_chunks.erase(chunk);
        }
        m_chunks[begin] = end;
        put(at, count);
    }

    void giveBack(Address address)
    {
        const auto at = static_cast<std::int64_t>(address / kStep);
        m_segments.erase(at);
        std::erase_if(m_chunks, [&](const auto& chunk) {
            return chunk.first <= at && at < chunk.second && isFree(chunk.first, chunk.second);
        });
    }

    bool isFree(std::int64_t begin, std::int64_t end) const
    {
        return std::ranges::none_of(
            m_segments, [&](const auto& held) { return held.first < end && held.first + held.second > begin; });
    }

private:
    static constexpr std::int64_t kChunk = 16;

    Address put(std::int64_t at, std::int64_t count)
    {
        m_segments[at] = count;
        return static_cast<Address>(at) * kStep;
    }

    bool isOutside(std::int64_t begin, std::int64_t end) const
    {
        return std::ranges::none_of(
            m_chunks, [&](const auto& chunk) { return chunk.first < end && chunk.second > begin; });
    }

    std::map<std::int64_t, std::int64_t> m_chunks; ///< their ends
    std::map<std::int64_t, std::int64_t> m_segments; ///< their lengths
    std::int64_t m_top = 0;
};

TEST(SegmentPlacementTest, whatItRemembersChangesNoAddress)
{
    constexpr std::array<Bytes, 9> kSizes{2, 2, 2, 12, 20, 32, 44, 64, 98};
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        std::minstd_rand random(seed);
        SegmentPlacement placement(SegmentAddresses::Linux);
        SearchedPlacement searched;
        std::vector<Address> held;
        for (int i = 0; i < 300; ++i) {
            const Bytes bytes = kSizes[random() % kSizes.size()] * kMiB;
            if (i < 20 && seed % 2 == 0) { // as of a recording
                const Address address = Address{0x7f0000000000} + random() % 400 * kStep;
                const auto at = static_cast<std::int64_t>(address / kStep);
                if (!searched.isFree(at, at + bytes / (2 * kMiB)))
                    continue;
                placement.adopt(address, bytes);
                searched.adopt(address, bytes);
                held.push_back(address);
            } else if (random() % 5 < 2 && !held.empty()) {
                std::swap(held[random() % held.size()], held.back());
                placement.giveBack(held.back());
                searched.giveBack(held.back());
                held.pop_back();
            } else {
                held.push_back(placement.place(bytes));
                ASSERT_EQ(held.back(), searched.place(bytes)) << "seed " << seed << ", " << i;
            }
        }
    }
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
