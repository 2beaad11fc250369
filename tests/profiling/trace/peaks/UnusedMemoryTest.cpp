// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/UnusedMemory.h"

#include "tests/profiling/trace/RandomTrace.h"
#include "tests/profiling/trace/peaks/OwnedTrace.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::trace {
namespace {

TEST(UnusedMemoryTest, isReservedLessAllocatedOverTime)
{
    const std::vector<AllocatorEvent> events{acted(Action::SegmentAlloc, 10, 0, 100), allocated(20, 0, 80),
        acted(Action::FreeRequested, 30, 0, 80), acted(Action::SegmentFree, 40, 0, 100)};
    UnusedMemory whole(0, 50, 100);
    whole.visit({}, events);
    EXPECT_EQ(whole.peak(), (Peak{100, 10}));
    UnusedMemory middle(20, 30, 100);
    middle.visit({}, events);
    EXPECT_EQ(middle.peak(), (Peak{100, 20})); // what the window begins with, before the event at its begin
    UnusedMemory later(21, 30, 100);
    later.visit({}, events);
    EXPECT_EQ(later.peak(), (Peak{20, 21}));
}

TEST(UnusedMemoryTest, bucketsAndPeakAgreeOnRandomTraces)
{
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const std::vector<AllocatorEvent> events = randomTrace(3'000, seed);
        const std::int64_t end = events.back().timeNs + 1;
        UnusedMemory unused(0, end, 64);
        EventBlockHeader header;
        for (std::size_t i = 0; i < events.size(); i += 500) {
            unused.visit(header, std::span(events).subspan(i, 500));
            for (std::size_t k = i; k < i + 500; ++k)
                header.before.apply(events[k]);
        }
        Bytes most = 0;
        MemoryCounters counters;
        for (const AllocatorEvent& event : events) {
            counters.apply(event);
            most = std::max(most, counters.reserved - counters.allocated);
        }
        EXPECT_EQ(unused.peak().bytes, most);
        EXPECT_EQ(std::ranges::max(unused.take(), {}, &Bucket::max).max, most);
    }
}

} // namespace
} // namespace headroom::trace
