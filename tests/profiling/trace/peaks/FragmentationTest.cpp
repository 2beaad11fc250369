// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/Fragmentation.h"
#include "profiling/trace/peaks/SegmentFollower.h"

#include "tests/profiling/trace/peaks/OwnedTrace.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace headroom::trace::fragmentation_test {
namespace {

constexpr Bytes kPage = 2 * kMiB;

Fragmentation after(const std::vector<AllocatorEvent>& events, const MemoryCounters& before = {})
{
    SegmentFollower live(before);
    for (const AllocatorEvent& event : events)
        live.apply(event);
    return fragmentationOf(live.state());
}

std::vector<AllocatorEvent> released(std::uint64_t address, Bytes bytes)
{
    return {acted(Action::FreeRequested, 9, address, bytes), acted(Action::FreeCompleted, 9, address, bytes)};
}

TEST(FragmentationTest, aHoleBetweenBlocksIsAnInactiveSplit)
{
    std::vector<AllocatorEvent> events{acted(Action::SegmentAlloc, 1, 1'000, 100), allocated(2, 1'000, 30),
        allocated(2, 1'030, 20), allocated(2, 1'050, 10)};
    for (const AllocatorEvent& event : released(1'030, 20))
        events.push_back(event);
    const Fragmentation found = after(events);
    EXPECT_EQ(found.unusedBytes(), 60);
    EXPECT_EQ(found.splitBytes, 60);
    EXPECT_EQ(found.releasableBytes, 0);
    EXPECT_EQ(found.holes, 2);
    EXPECT_EQ(found.largestHoleBytes, 40);
}

TEST(FragmentationTest, aSegmentWithoutBlocksCanBeReleased)
{
    const Fragmentation found = after({acted(Action::SegmentAlloc, 1, 1'000, 100),
        acted(Action::SegmentAlloc, 1, 2'000, 50), allocated(2, 2'000, 50)});
    EXPECT_EQ(found.releasableBytes, 100);
    EXPECT_EQ(found.splitBytes, 0);
    EXPECT_EQ(found.largestHoleBytes, 100);
    EXPECT_EQ(found.segments, 2);
}

TEST(FragmentationTest, whatAStreamStillUsesIsPendingAndNoHole)
{
    const Fragmentation found = after({acted(Action::SegmentAlloc, 1, 1'000, 100), allocated(2, 1'000, 100),
        acted(Action::FreeRequested, 3, 1'000, 100)});
    EXPECT_EQ(found.unusedBytes(), 100);
    EXPECT_EQ(found.pendingBytes, 100);
    EXPECT_EQ(found.splitBytes, 0);
    EXPECT_EQ(found.releasableBytes, 0);
    EXPECT_EQ(found.holes, 0);
}

TEST(FragmentationTest, holesOfNeighbouringSegmentsAreTwoUnlessTheyAreMapped)
{
    const auto twice = [](Action action) {
        return std::vector<AllocatorEvent>{acted(action, 1, 0, kPage), acted(action, 1, kPage, kPage)};
    };
    EXPECT_EQ(after(twice(Action::SegmentAlloc)).largestHoleBytes, kPage);
    EXPECT_EQ(after(twice(Action::SegmentMap)).largestHoleBytes, 2 * kPage);
    EXPECT_EQ(after(twice(Action::SegmentMap)).segments, 1);
}

TEST(FragmentationTest, unmappingThePagesInTheMiddleLeavesTwoStretches)
{
    const Fragmentation found =
        after({acted(Action::SegmentMap, 1, 0, 5 * kPage), acted(Action::SegmentUnmap, 2, 2 * kPage, kPage)});
    EXPECT_EQ(found.reservedBytes, 4 * kPage);
    EXPECT_EQ(found.segments, 2);
    EXPECT_EQ(found.largestHoleBytes, 2 * kPage);
    const Fragmentation closed = after({acted(Action::SegmentMap, 1, 0, 5 * kPage),
        acted(Action::SegmentUnmap, 2, 2 * kPage, kPage), acted(Action::SegmentMap, 3, 2 * kPage, kPage)});
    EXPECT_EQ(closed.segments, 1);
    EXPECT_EQ(closed.largestHoleBytes, 5 * kPage);
}

TEST(FragmentationTest, segmentsFromBeforeTheTraceLeaveThePartsUnknown)
{
    const Fragmentation found = after({allocated(2, 1'000, 30)}, {.allocated = 10, .reserved = 100, .active = 10});
    EXPECT_EQ(found.unusedBytes(), 60);
    EXPECT_EQ(found.splitBytes, std::nullopt);
    EXPECT_EQ(found.largestHoleBytes, std::nullopt);
    EXPECT_EQ(found.segments, std::nullopt);
    EXPECT_EQ(found.slackBytes, std::nullopt);
}

TEST(FragmentationTest, slackIsWhatAllocatedBlocksHaveMoreThanWasAskedFor)
{
    AllocatorEvent large = allocated(2, 1'000, 60);
    large.requestedBytes = 45;
    AllocatorEvent small = allocated(2, 1'060, 10);
    small.requestedBytes = 9;
    std::vector<AllocatorEvent> events{acted(Action::SegmentAlloc, 1, 1'000, 100), large, small};
    EXPECT_EQ(after(events).slackBytes, 16);
    AllocatorEvent relabelled = large;
    relabelled.action = Action::Relabelled;
    events.push_back(relabelled);
    EXPECT_EQ(after(events).slackBytes, 16) << "it counts once";
    large.action = Action::FreeRequested;
    events.push_back(large);
    EXPECT_EQ(after(events).slackBytes, 1) << "a block that waits for a stream is not allocated";
    large.action = Action::FreeCompleted;
    events.push_back(large);
    EXPECT_EQ(after(events).slackBytes, 1);
}

/// Every byte of a small address space by itself.
struct ByteMap {
    std::map<std::uint64_t, int> segmentOf;
    std::set<std::uint64_t> used;

    Fragmentation count(const MemoryCounters& counters) const
    {
        std::set<int> inUse;
        std::set<int> all;
        for (const auto& [byte, segment] : segmentOf) {
            all.insert(segment);
            if (used.contains(byte))
                inUse.insert(segment);
        }
        Fragmentation found{.reservedBytes = counters.reserved,
            .allocatedBytes = counters.allocated,
            .pendingBytes = counters.active - counters.allocated,
            .releasableBytes = 0,
            .splitBytes = 0,
            .largestHoleBytes = 0,
            .holes = 0,
            .segments = static_cast<std::int64_t>(all.size()),
            .slackBytes = 0};
        Bytes hole = 0;
        for (const auto& [byte, segment] : segmentOf) {
            if (used.contains(byte)) {
                hole = 0;
                continue;
            }
            ++(inUse.contains(segment) ? *found.splitBytes : *found.releasableBytes);
            const auto before = segmentOf.find(byte - 1);
            const bool goesOn = hole > 0 && before != segmentOf.end() && before->second == segment;
            hole = goesOn ? hole + 1 : 1;
            *found.holes += goesOn ? 0 : 1;
            found.largestHoleBytes = std::max(*found.largestHoleBytes, hole);
        }
        return found;
    }
};

TEST(FragmentationTest, agreeWithACountOfEveryByteOnRandomTraces)
{
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        std::mt19937 random(seed);
        SegmentFollower live(SegmentState{});
        ByteMap bytes;
        std::map<std::uint64_t, Bytes> segments;
        std::map<std::uint64_t, std::pair<Bytes, bool>> blocks; ///< and whether it was given back
        const auto tell = [&](Action action, std::uint64_t address, Bytes size) {
            live.apply(acted(action, 1, address, size));
        };
        for (int step = 0; step < 400; ++step) {
            const auto slot = static_cast<std::uint64_t>(random() % 8);
            const std::uint64_t base = 1 + slot * 64;
            if (!segments.contains(base)) {
                segments[base] = 64;
                tell(Action::SegmentAlloc, base, 64);
                for (std::uint64_t i = 0; i < 64; ++i)
                    bytes.segmentOf[base + i] = static_cast<int>(slot);
                continue;
            }
            const std::uint64_t address = base + 8 * (random() % 8);
            const auto block = blocks.find(address);
            if (block == blocks.end()) {
                const Bytes size = 1 + random() % 8;
                blocks[address] = {size, false};
                tell(Action::Alloc, address, size);
                for (Bytes i = 0; i < size; ++i)
                    bytes.used.insert(address + static_cast<std::uint64_t>(i));
            } else if (!block->second.second) {
                tell(Action::FreeRequested, address, block->second.first);
                block->second.second = true;
            } else {
                tell(Action::FreeCompleted, address, block->second.first);
                for (Bytes i = 0; i < block->second.first; ++i)
                    bytes.used.erase(address + static_cast<std::uint64_t>(i));
                blocks.erase(block);
            }
            ASSERT_EQ(fragmentationOf(live.state()), bytes.count(live.counters()))
                << "seed " << seed << ", step " << step;
        }
    }
}

} // namespace
} // namespace headroom::trace::fragmentation_test
