// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/EventBlock.h"

#include "core/base/Crc32.h"
#include "profiling/trace/MalformedBlock.h"
#include "tests/profiling/trace/BlockOfVersion1.h"
#include "tests/profiling/trace/RandomTrace.h"
#include "tests/support/Refusal.h"

#include <gtest/gtest.h>

#include <cstring>

namespace headroom::trace {
namespace {

using Block = std::vector<std::byte>;

// Makes a damaged block pass its checksum, so that the decoder itself is put to the test.
void sign(Block& block)
{
    const std::uint32_t sum = crc32(std::span(block).first(block.size() - 4));
    std::memcpy(block.data() + block.size() - 4, &sum, 4);
}

TEST(EventBlockTest, realisticTracesRoundTrip)
{
    for (const std::size_t count : {1U, 2U, 499U, 65'536U}) {
        const auto events = randomTrace(count);
        EXPECT_EQ(decodeEventBlock(encodeEventBlock(events, {})), events);
    }
}

TEST(EventBlockTest, arbitraryBitsRoundTrip)
{
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        const auto events = arbitraryEvents(1 + seed * 7, seed);
        EXPECT_EQ(decodeEventBlock(encodeEventBlock(events, {})), events);
    }
}

TEST(EventBlockTest, headerTellsCountersAndTimesWithoutDecoding)
{
    const std::vector<AllocatorEvent> events{{.timeNs = 50, .bytes = 4096, .action = Action::SegmentAlloc},
        {.timeNs = 60, .bytes = 1024, .requestedBytes = 1000, .action = Action::Alloc},
        {.timeNs = 55, .bytes = 1024, .requestedBytes = 1000, .action = Action::FreeRequested}};
    const auto header = verifyEventBlock(encodeEventBlock(events, {.allocated = 10, .reserved = 20, .active = 30}));
    EXPECT_EQ(header.count, 3U);
    EXPECT_EQ(header.firstNs, 50);
    EXPECT_EQ(header.lastNs, 60);
    EXPECT_EQ(header.before, (MemoryCounters{10, 20, 30}));
    EXPECT_EQ(header.min, (MemoryCounters{10, 20, 30}));
    EXPECT_EQ(header.max, (MemoryCounters{1034, 4116, 1054}));
}

TEST(EventBlockTest, isLessThanHalfTheSizeOfTheEvents)
{
    const auto events = randomTrace(kMaxBlockEvents);
    EXPECT_LT(encodeEventBlock(events, {}).size() * 2, events.size() * sizeof(AllocatorEvent));
}

TEST(EventBlockTest, blocksOfVersionOneAreReadAndBelongToNobody)
{
    const Block block = blockOfVersion1();
    EXPECT_EQ(decodeEventBlock(block), eventsOfVersion1());
    const auto header = verifyEventBlock(block);
    EXPECT_EQ(header.before, (MemoryCounters{10, 20, 30}));
    EXPECT_EQ(header.categoriesBefore.of(config::MemoryCategory::Unknown), 10);
    EXPECT_EQ(header.categoriesBefore.total(), 10);
}

TEST(EventBlockTest, ownersAndRelabellingsRoundTrip)
{
    const std::vector<AllocatorEvent> events{
        {.timeNs = 1, .address = 1, .bytes = 8, .requestedBytes = 8, .action = Action::Alloc, .owner = 3},
        {.timeNs = 2,
            .address = 1,
            .bytes = 8,
            .requestedBytes = 8,
            .action = Action::Relabelled,
            .owner = 4'000'000'000,
            .previousOwner = 3},
        {.timeNs = 3,
            .address = 1,
            .bytes = 8,
            .requestedBytes = 8,
            .action = Action::FreeRequested,
            .owner = 4'000'000'000}};
    EXPECT_EQ(decodeEventBlock(encodeEventBlock(events, {})), events);
}

TEST(EventBlockTest, headerTellsWhatIsHeldBeforeIt)
{
    CategoryBytes categories;
    categories.of(config::MemoryCategory::Weights) = 70;
    categories.of(config::MemoryCategory::Harness) = -20;
    const Block block = encodeEventBlock(randomTrace(3), {.allocated = 50}, categories);
    EXPECT_EQ(readEventBlockHeader(block).categoriesBefore, categories);
    EXPECT_THROW(encodeEventBlock(randomTrace(3), {.allocated = 51}, categories), UsageError);
}

TEST(EventBlockTest, categoriesThatDoNotSumToWhatIsAllocatedAreMalformed)
{
    Block block = encodeEventBlock(randomTrace(3), {.allocated = 50});
    block[104] = std::byte{1};
    sign(block);
    EXPECT_THROW(verifyEventBlock(block), MalformedBlock);
}

TEST(EventBlockTest, refusesMoreEventsThanABlockHolds)
{
    EXPECT_THROW(encodeEventBlock(std::vector<AllocatorEvent>(kMaxBlockEvents + 1), {}), UsageError);
    EXPECT_THROW(encodeEventBlock({}, {}), UsageError);
}

TEST(EventBlockTest, everyTruncationIsAnError)
{
    const Block block = encodeEventBlock(randomTrace(60), {});
    for (std::size_t size = 0; size < block.size(); ++size)
        EXPECT_THROW(decodeEventBlock(std::span(block).first(size)), MalformedBlock) << size;
}

TEST(EventBlockTest, everyFlippedBitIsAnError)
{
    Block block = encodeEventBlock(randomTrace(60), {});
    for (std::size_t bit = 0; bit < block.size() * 8; ++bit) {
        block[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        EXPECT_THROW(decodeEventBlock(block), MalformedBlock) << bit;
        block[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    }
    EXPECT_NO_THROW(decodeEventBlock(block));
}

// With a matching checksum a changed block may well decode (to other events), but never to another number of them.
int refusalsOfDamagedCopies(const Block& original)
{
    std::mt19937 random(3);
    int refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        Block block = original;
        for (auto changes = 1 + random() % 4; changes > 0; --changes)
            block[random() % block.size()] = static_cast<std::byte>(random());
        if (random() % 4 == 0)
            block.resize(132 + random() % (block.size() - 132));
        sign(block);
        try {
            const auto header = verifyEventBlock(block);
            EXPECT_EQ(decodeEventBlock(block).size(), header.count);
        } catch (const MalformedBlock&) {
            ++refused;
        }
    }
    return refused;
}

TEST(EventBlockTest, damageBehindAValidChecksumNeverEscapesTheBlock)
{
    EXPECT_GT(refusalsOfDamagedCopies(encodeEventBlock(randomTrace(200), {})), 1'000);
    EXPECT_GT(refusalsOfDamagedCopies(encodeEventBlock(arbitraryEvents(200, 9), {})), 1'000);
    EXPECT_GT(refusalsOfDamagedCopies(blockOfVersion1()), 1'000);
}

TEST(EventBlockTest, saysWhatIsWrong)
{
    Block block = encodeEventBlock(randomTrace(10), {});
    block[4] = std::byte{9};
    EXPECT_EQ(
        refusal<MalformedBlock>([&] { verifyEventBlock(block); }), "the event block has version 9 (valid: 1 and 2)");
}

} // namespace
} // namespace headroom::trace
