// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/ExactAllocator.h"

#include "core/base/Error.h"
#include "profiling/simulator/OutOfMemory.h"
#include "tests/support/Refusal.h"

#include <gtest/gtest.h>

#include <vector>

namespace headroom::simulator {
namespace {

TEST(ExactAllocatorTest, neitherRoundsNorReserves)
{
    ExactAllocator allocator;
    allocator.allocate(1);
    allocator.allocate(3 * kMiB + 7);
    const DeviceStats& stats = allocator.stats();
    EXPECT_EQ(stats.allocatedBytes.aggregate.current, 3 * kMiB + 8);
    EXPECT_EQ(stats.requestedBytes, stats.allocatedBytes);
    EXPECT_EQ(stats.activeBytes, stats.allocatedBytes);
    EXPECT_EQ(stats.reservedBytes, StatArray{});
}

TEST(ExactAllocatorTest, whatIsFreedIsGoneWhoeverUsesIt)
{
    ExactAllocator allocator;
    const Address block = allocator.allocate(100);
    allocator.recordStream(block, 5);
    allocator.free(block);
    EXPECT_EQ(allocator.stats().activeBytes.aggregate.current, 0);
    EXPECT_EQ(allocator.stats().activeBytes.aggregate.peak, 100);
    EXPECT_THROW(allocator.free(block), Error);
}

TEST(ExactAllocatorTest, zeroBytesGiveTheNullAddress)
{
    ExactAllocator allocator;
    EXPECT_EQ(allocator.allocate(0), 0u);
    allocator.free(0);
    EXPECT_EQ(allocator.stats(), DeviceStats{});
    EXPECT_THROW(allocator.allocate(-5), Error);
}

TEST(ExactAllocatorTest, aLimitIsExactToTheByte)
{
    ExactAllocator allocator(1000);
    const Address block = allocator.allocate(900);
    const auto error = errorOf<OutOfMemory>([&] { allocator.allocate(103); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->facts().missingBytes, 3);
    EXPECT_EQ(error->facts().freeDeviceBytes, 100);
    EXPECT_EQ(error->facts().allocatedBytes, 900);
    allocator.allocate(100);
    EXPECT_EQ(allocator.stats().numOoms, 1);
    allocator.free(block);
    EXPECT_NE(allocator.allocate(900), 0u);
}

TEST(ExactAllocatorTest, tellsBothPartsOfAFree)
{
    ExactAllocator allocator;
    std::vector<trace::Action> actions;
    allocator.setObserver([&actions](const trace::AllocatorEvent& event) { actions.push_back(event.action); });
    allocator.free(allocator.allocate(10));
    using trace::Action;
    EXPECT_EQ(actions, (std::vector{Action::Alloc, Action::FreeRequested, Action::FreeCompleted}));
}

TEST(ExactAllocatorTest, theSnapshotHoldsEveryBlockInAddressOrder)
{
    ExactAllocator allocator;
    const Address first = allocator.allocate(10);
    const Address second = allocator.allocate(20);
    const AllocatorSnapshot snapshot = allocator.snapshot();
    ASSERT_EQ(snapshot.segments.size(), 2u);
    EXPECT_EQ(snapshot.segments[0].address, first);
    EXPECT_EQ(snapshot.segments[1].address, second);
    EXPECT_EQ(snapshot.segments[1].blocks.at(0).bytes, 20);
}

} // namespace
} // namespace headroom::simulator
