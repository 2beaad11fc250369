// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/SegmentStretches.h"

#include "core/base/Crc32.h"
#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/peaks/SegmentStateData.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace headroom::trace::segment_stretches_test {
namespace {

SegmentState randomState(std::uint32_t seed, std::size_t blocks)
{
    std::mt19937_64 random(seed);
    SegmentState state;
    state.events = random();
    state.timeNs = static_cast<std::int64_t>(random());
    state.counters = {static_cast<Bytes>(random()), static_cast<Bytes>(random()), static_cast<Bytes>(random())};
    std::uint64_t address = 0;
    for (std::size_t i = 0; i < blocks / 3; ++i) {
        address += 1 + random() % (std::uint64_t{1} << 40);
        state.segments.push_back({address, static_cast<Bytes>(random()), static_cast<std::int64_t>(random()),
            static_cast<std::int32_t>(random()), random() % 2 == 0});
    }
    address = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        address += 1 + random() % (std::uint64_t{1} << 40);
        state.blocks.push_back(
            {address, static_cast<Bytes>(random()), static_cast<Bytes>(random()), static_cast<std::int64_t>(random()),
                static_cast<std::int32_t>(random()), static_cast<OwnerId>(random()), random() % 2 == 0});
    }
    return state;
}

TEST(SegmentStateDataTest, anyStateRoundTrips)
{
    EXPECT_EQ(decodeSegmentState(encodeSegmentState({})), SegmentState{});
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        const SegmentState state = randomState(seed, seed * 7);
        EXPECT_EQ(decodeSegmentState(encodeSegmentState(state)), state);
    }
    SegmentState extremes;
    using Number = std::numeric_limits<std::int64_t>;
    extremes.timeNs = Number::min();
    extremes.blocks = {{0, Number::max(), Number::min(), Number::max(), std::numeric_limits<std::int32_t>::min(),
                           std::numeric_limits<OwnerId>::max(), true},
        {std::numeric_limits<std::uint64_t>::max(), -1, 0, Number::min(), -1, 0, false}};
    EXPECT_EQ(decodeSegmentState(encodeSegmentState(extremes)), extremes);
}

// As in a real trace: blocks of 512 bytes and more, one after the other.
TEST(SegmentStateDataTest, aBlockTakesSomeTenBytes)
{
    SegmentState state;
    state.events = 1'000'000;
    state.timeNs = 60'000'000'000;
    std::mt19937 random(1);
    std::uint64_t address = 0x7f0000000000;
    for (int i = 0; i < 3'000; ++i) {
        const auto bytes = static_cast<Bytes>(512 * (1 + random() % 4'000));
        const auto sinceNs = static_cast<std::int64_t>(random() % 1'000'000'000);
        state.blocks.push_back(
            {address, bytes, bytes, state.timeNs - sinceNs, 0, static_cast<OwnerId>(random() % 50), false});
        address += static_cast<std::uint64_t>(bytes);
    }
    EXPECT_LT(encodeSegmentState(state).size(), 13U * state.blocks.size());
}

TEST(SegmentStateDataTest, whatIsOutOfOrderIsRefused)
{
    SegmentState state = randomState(3, 9);
    std::swap(state.blocks.front(), state.blocks.back());
    EXPECT_THROW(encodeSegmentState(state), UsageError);
    state = randomState(3, 9);
    state.segments.push_back(state.segments.back());
    EXPECT_THROW(encodeSegmentState(state), UsageError);
}

TEST(SegmentStateDataTest, everyTruncationAndFlippedBitIsAnError)
{
    auto data = encodeSegmentState(randomState(5, 12));
    for (std::size_t size = 0; size < data.size(); ++size)
        EXPECT_THROW(decodeSegmentState(std::span(data).first(size)), MalformedBlock) << size;
    for (std::size_t bit = 0; bit < data.size() * 8; ++bit) {
        data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        EXPECT_THROW(decodeSegmentState(data), MalformedBlock) << bit;
        data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    }
}

TEST(SegmentStateDataTest, damageBehindAValidChecksumIsRefusedOrIsAState)
{
    const auto original = encodeSegmentState(randomState(6, 30));
    std::mt19937 random(7);
    int refused = 0;
    for (int round = 0; round < 10'000; ++round) {
        auto data = original;
        for (auto changes = 1 + random() % 4; changes > 0; --changes)
            data[random() % data.size()] = static_cast<std::byte>(random());
        const std::uint32_t sum = crc32(std::span(data).first(data.size() - 4));
        std::memcpy(data.data() + data.size() - 4, &sum, 4);
        try {
            const SegmentState state = decodeSegmentState(data);
            EXPECT_LE(state.blocks.size() + state.segments.size(), data.size());
            EXPECT_EQ(decodeSegmentState(encodeSegmentState(state)), state);
        } catch (const MalformedBlock&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 500);
}

AllocatorEvent blockEvent(Action action, std::uint64_t number)
{
    return {static_cast<std::int64_t>(number), number * 4096, 4096, 4000, 0, action};
}

std::vector<SegmentStretch> stretchesOf(std::uint64_t blocks, const auto& eventsOfBlock)
{
    SegmentStretches stretches({}, 10);
    MemoryCounters counters;
    std::vector<SegmentStretch> all;
    for (std::uint64_t block = 0; block < blocks; ++block) {
        stretches.beginBlock(static_cast<std::int64_t>(block), counters);
        for (const AllocatorEvent& event : eventsOfBlock(block)) {
            counters.apply(event);
            stretches.append(event);
        }
        if (auto stretch = stretches.endBlock())
            all.push_back(*stretch);
    }
    if (auto last = stretches.finish())
        all.push_back(*last);
    return all;
}

TEST(SegmentStretchesTest, aStretchIsTheLongerTheMoreIsHeldAndAllAreCovered)
{
    const auto all = stretchesOf(100, [](std::uint64_t block) {
        std::vector<AllocatorEvent> events;
        for (std::uint64_t i = 0; i < 8; ++i)
            events.push_back(blockEvent(Action::Alloc, block * 8 + i));
        return events;
    });
    ASSERT_EQ(all.size(), 3U); // 16 events, then eight times as many as are held: 128, and what is left
    std::uint64_t events = 0;
    for (const SegmentStretch& stretch : all) {
        EXPECT_EQ(stretch.firstEvent, events);
        EXPECT_EQ(stretch.ordinal, static_cast<std::int64_t>(events / 8));
        const SegmentState state = decodeSegmentState(stretch.state);
        EXPECT_EQ(state.events, events);
        EXPECT_EQ(state.blocks.size(), events);
        events += stretch.events;
    }
    EXPECT_EQ(events, 800U);
    EXPECT_EQ(all[1].events, 128U);
}

TEST(SegmentStretchesTest, failuresAndThePeakAreThoseOfTheStretch)
{
    const auto all = stretchesOf(6, [](std::uint64_t block) {
        std::vector<AllocatorEvent> events(8, blockEvent(Action::OutOfMemory, 1));
        events[3] = blockEvent(block < 3 ? Action::SegmentAlloc : Action::SegmentFree, block % 3);
        return events;
    });
    ASSERT_EQ(all.size(), 3U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].events, 16U);
        EXPECT_EQ(all[i].failures.size(), 14U);
        EXPECT_EQ(all[i].failures.front(), 16 * i + 1);
        EXPECT_EQ(all[i].failures.back(), 16 * i + 16);
        SegmentStretch read{.firstEvent = all[i].firstEvent, .events = all[i].events};
        decodeFailures(encodeFailures(all[i]), read);
        EXPECT_EQ(read.failures, all[i].failures);
        read = {.firstEvent = all[i].firstEvent, .events = 3};
        EXPECT_THROW(decodeFailures(encodeFailures(all[i]), read), MalformedBlock);
    }
    EXPECT_EQ(all[0].peak, (ReservedPeak{2 * 4096, 0, 12}));
    EXPECT_EQ(all[1].peak, (ReservedPeak{3 * 4096, 0, 20}));
    ReservedPeak whole = all[0].peak;
    whole.raise(all[1].peak);
    whole.raise(all[2].peak);
    EXPECT_EQ(whole, all[1].peak);
}

} // namespace
} // namespace headroom::trace::segment_stretches_test
