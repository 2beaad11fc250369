// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/trace/pyramids/MemoryTimeline.h"

#include "tests/profiling/trace/RandomTrace.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::trace {
namespace {

const std::vector<AllocatorEvent> kSmall{{.timeNs = 10, .bytes = 4096, .action = Action::SegmentAlloc},
    {.timeNs = 10, .bytes = 1024, .action = Action::Alloc}, {.timeNs = 20, .bytes = 2048, .action = Action::Alloc},
    {.timeNs = 30, .bytes = 1024, .action = Action::FreeRequested},
    {.timeNs = 40, .bytes = 1024, .action = Action::FreeCompleted}};

TEST(MemoryTimelineTest, holdsItsValuesBetweenEvents)
{
    const MemoryTimeline timeline(kSmall, {.allocated = 100, .reserved = 200, .active = 100});
    EXPECT_EQ(timeline.at(9), (MemoryCounters{100, 200, 100}));
    EXPECT_EQ(timeline.at(10), (MemoryCounters{1124, 4296, 1124}));
    EXPECT_EQ(timeline.at(29), (MemoryCounters{3172, 4296, 3172}));
    EXPECT_EQ(timeline.at(30), (MemoryCounters{2148, 4296, 3172}));
    EXPECT_EQ(timeline.at(1'000), (MemoryCounters{2148, 4296, 2148}));
}

TEST(MemoryTimelineTest, peakIsTheFirstTimeOfTheLargestValue)
{
    const MemoryTimeline timeline(kSmall);
    EXPECT_EQ(timeline.peak(Counter::Allocated), (Peak{3072, 20}));
    EXPECT_EQ(timeline.peak(Counter::Reserved), (Peak{4096, 10}));
    EXPECT_EQ(timeline.peak(Counter::Allocated, 25, 100), (Peak{3072, 25}));
    EXPECT_EQ(timeline.peak(Counter::Allocated, 31, 100), (Peak{2048, 31}));
    EXPECT_EQ(MemoryTimeline({.allocated = 7}).peak(Counter::Allocated).bytes, 7);
}

TEST(MemoryTimelineTest, everyZoomEqualsBruteForce)
{
    const auto events = randomTrace(40'000);
    const MemoryTimeline timeline(events);
    for (const std::int64_t length :
        {std::int64_t{10}, std::int64_t{5'000}, std::int64_t{700'000}, timeline.lastNs()}) {
        const std::int64_t from = (timeline.lastNs() - length) / 2;
        for (const Bucket& bucket : timeline.query(Counter::Active, from, from + length, 50)) {
            MemoryCounters counters;
            Bucket expected = bucket;
            bool entered = false;
            const auto enter = [&]() {
                if (!entered)
                    expected.min = expected.max = expected.last = counters.active;
                entered = true;
            };
            for (const AllocatorEvent& event : events) {
                if (event.timeNs >= bucket.endNs)
                    break;
                if (event.timeNs >= bucket.beginNs)
                    enter();
                counters.apply(event);
                expected.last = counters.active;
                expected.min = std::min(expected.min, counters.active);
                expected.max = std::max(expected.max, counters.active);
            }
            enter();
            EXPECT_EQ(bucket, expected);
        }
    }
}

TEST(MemoryTimelineTest, curvesShareTheirBuckets)
{
    const MemoryTimeline timeline(randomTrace(30'000));
    const auto allocated = timeline.query(Counter::Allocated, 0, timeline.lastNs(), 640);
    const auto reserved = timeline.query(Counter::Reserved, 0, timeline.lastNs(), 640);
    ASSERT_EQ(allocated.size(), reserved.size());
    for (std::size_t i = 0; i < allocated.size(); ++i)
        EXPECT_EQ(allocated[i].beginNs, reserved[i].beginNs);
}

} // namespace
} // namespace headroom::trace
