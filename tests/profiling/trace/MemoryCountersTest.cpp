// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/MemoryCounters.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom::trace::memory_counters_test {
namespace {

MemoryCounters after(std::initializer_list<std::pair<Action, Bytes>> actions)
{
    MemoryCounters counters;
    for (const auto& [action, bytes] : actions)
        counters.apply({.bytes = bytes, .action = action});
    return counters;
}

TEST(MemoryCountersTest, aRequestedFreeDropsAllocatedAndACompletedOneActive)
{
    EXPECT_EQ(after({{Action::SegmentAlloc, 2048}, {Action::Alloc, 1024}}),
        (MemoryCounters{.allocated = 1024, .reserved = 2048, .active = 1024}));
    EXPECT_EQ(after({{Action::Alloc, 1024}, {Action::FreeRequested, 1024}}),
        (MemoryCounters{.allocated = 0, .reserved = 0, .active = 1024}));
    EXPECT_EQ(
        after({{Action::Alloc, 1024}, {Action::FreeRequested, 1024}, {Action::FreeCompleted, 1024}}), MemoryCounters{});
}

TEST(MemoryCountersTest, expandableSegmentsReserveByMapping)
{
    EXPECT_EQ(after({{Action::SegmentMap, 4096}, {Action::SegmentUnmap, 1024}}).reserved, 3072);
    EXPECT_EQ(after({{Action::SegmentAlloc, 4096}, {Action::SegmentFree, 4096}}).reserved, 0);
}

TEST(MemoryCountersTest, aFailedRequestChangesNothing)
{
    EXPECT_EQ(after({{Action::Alloc, 512}, {Action::OutOfMemory, kGiB}}).allocated, 512);
}

TEST(MemoryCountersTest, absurdSizesWrapInsteadOfOverflowing)
{
    const Bytes huge = std::numeric_limits<Bytes>::max();
    EXPECT_EQ(after({{Action::Alloc, huge}, {Action::Alloc, huge}}).allocated, -2);
}

} // namespace
} // namespace headroom::trace::memory_counters_test
