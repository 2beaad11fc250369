// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/AllocatorSnapshot.h"

#include "profiling/trace/peaks/Fragmentation.h"
#include "profiling/trace/peaks/SegmentFollower.h"
#include "tests/profiling/simulator/RandomRequests.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace headroom::simulator::living_events_test {
namespace {

using trace::Action;
using trace::AllocatorEvent;

std::vector<Action> actionsOf(const std::vector<AllocatorEvent>& events)
{
    std::vector<Action> actions;
    for (const AllocatorEvent& event : events)
        actions.push_back(event.action);
    return actions;
}

Bytes mostAllocated(const std::vector<AllocatorEvent>& events)
{
    trace::MemoryCounters counters;
    Bytes most = 0;
    for (const AllocatorEvent& event : events) {
        counters.apply(event);
        most = std::max(most, counters.allocated);
    }
    return most;
}

Bytes slackIn(const AllocatorSnapshot& snapshot)
{
    Bytes slack = 0;
    for (const SegmentSnapshot& segment : snapshot.segments)
        for (const BlockSnapshot& block : segment.blocks)
            slack += block.state == BlockState::ActiveAllocated ? block.bytes - block.requestedBytes : 0;
    return slack;
}

TEST(LivingEventsTest, segmentsComeBeforeBlocksAndWaitingBlocksBeforeAllocatedOnes)
{
    CachingAllocator allocator;
    allocator.allocate(3 * kMiB);
    const Address waiting = allocator.allocate(2 * kMiB);
    allocator.recordStream(waiting, 1);
    allocator.free(waiting);
    const auto events = livingEvents(allocator.snapshot(), 7);
    EXPECT_THAT(actionsOf(events),
        testing::ElementsAre(Action::SegmentAlloc, Action::Alloc, Action::FreeRequested, Action::Alloc));
    EXPECT_EQ(events[1].address, waiting);
    EXPECT_EQ(events[1].timeNs, 7);
    EXPECT_EQ(mostAllocated(events), allocator.stats().allocatedBytes.aggregate.current);
}

TEST(LivingEventsTest, everyMappedStretchOfAnExpandableSegmentIsAMap)
{
    CachingAllocator allocator({}, parseAllocatorSettings("expandable_segments:True"));
    const Address first = allocator.allocate(60 * kMiB);
    allocator.allocate(60 * kMiB);
    allocator.free(first);
    allocator.emptyCache();
    allocator.allocate(5 * kMiB);
    const auto events = livingEvents(allocator.snapshot(), 0);
    EXPECT_THAT(
        actionsOf(events), testing::ElementsAre(Action::SegmentMap, Action::SegmentMap, Action::Alloc, Action::Alloc));
}

// A trace that begins in the middle tells of holes and segments what one from the beginning does, whatever is mapped
// and unmapped later.
TEST(LivingEventsTest, aTraceThatBeginsLateTellsTheSameOfFreeMemory)
{
    for (unsigned seed = 1; seed <= 200; ++seed) {
        const std::string& text = allocatorSettingsToTry()[seed % allocatorSettingsToTry().size()];
        SCOPED_TRACE(text + " seed " + std::to_string(seed));
        CachingAllocator allocator({.limitBytes = 700 * kMiB}, parseAllocatorSettings(text));
        RandomRequests program(allocator, seed);
        trace::SegmentFollower whole(trace::SegmentState{});
        trace::SegmentFollower late(trace::SegmentState{});
        allocator.setObserver([&](const AllocatorEvent& event) { whole.apply(event); });
        program.run(120);
        for (const AllocatorEvent& event : livingEvents(allocator.snapshot(), 0))
            late.apply(event);
        allocator.setObserver([&](const AllocatorEvent& event) {
            whole.apply(event);
            late.apply(event);
        });
        for (int i = 0; i < 10; ++i) {
            ASSERT_EQ(trace::fragmentationOf(late.state()).slackBytes, slackIn(allocator.snapshot()));
            ASSERT_EQ(trace::fragmentationOf(late.state()), trace::fragmentationOf(whole.state()));
            program.run(20);
        }
    }
}

} // namespace
} // namespace headroom::simulator::living_events_test
