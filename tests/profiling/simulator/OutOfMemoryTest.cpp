// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/OutOfMemory.h"

#include "core/base/Error.h"
#include "profiling/simulator/CachingAllocator.h"
#include "tests/support/Refusal.h"

#include <gtest/gtest.h>

#include <vector>

namespace headroom::simulator {
namespace {

OutOfMemoryFacts failure(SimulatedAllocator& allocator, Bytes bytes)
{
    const auto error = errorOf<OutOfMemory>([&] { allocator.allocate(bytes); });
    return error ? error->facts() : OutOfMemoryFacts{};
}

TEST(OutOfMemoryTest, saysHowMuchWasMissingAfterTheCacheWasFlushed)
{
    CachingAllocator allocator({.limitBytes = 100 * kMiB});
    allocator.allocate(60 * kMiB - 100);
    allocator.free(allocator.allocate(20 * kMiB));
    const OutOfMemoryFacts facts = failure(allocator, 50 * kMiB + 1);
    EXPECT_EQ(facts.requestedBytes, 50 * kMiB + 1);
    EXPECT_EQ(facts.segmentBytes, 52 * kMiB);
    EXPECT_EQ(facts.freeDeviceBytes, 40 * kMiB);
    EXPECT_EQ(facts.missingBytes, 12 * kMiB);
    EXPECT_EQ(facts.allocatedBytes, 60 * kMiB);
    EXPECT_EQ(facts.reservedBytes, 60 * kMiB);
    EXPECT_EQ(allocator.stats().numOoms, 1);
    EXPECT_EQ(allocator.stats().numAllocRetries, 1);
}

TEST(OutOfMemoryTest, exactlyTheMissingBytesWouldHaveBeenEnough)
{
    for (const Bytes extra : {Bytes{0}, Bytes{-1}}) {
        CachingAllocator allocator({.limitBytes = 112 * kMiB + extra});
        allocator.allocate(60 * kMiB);
        if (extra == 0) {
            EXPECT_NE(allocator.allocate(50 * kMiB + 1), 0u);
        } else {
            EXPECT_EQ(failure(allocator, 50 * kMiB + 1).missingBytes, 1);
        }
    }
}

TEST(OutOfMemoryTest, leavesTheAllocatorUsable)
{
    CachingAllocator allocator({.limitBytes = 40 * kMiB});
    const Address held = allocator.allocate(30 * kMiB);
    failure(allocator, 20 * kMiB);
    allocator.free(held);
    EXPECT_NE(allocator.allocate(40 * kMiB), 0u);
}

TEST(OutOfMemoryTest, isToldToTheObserverWithTheFreeBytesAsAddress)
{
    CachingAllocator allocator({.limitBytes = 40 * kMiB});
    allocator.allocate(30 * kMiB);
    std::vector<trace::AllocatorEvent> events;
    allocator.setObserver([&events](const trace::AllocatorEvent& event) { events.push_back(event); });
    failure(allocator, 20 * kMiB);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].action, trace::Action::OutOfMemory);
    EXPECT_EQ(events[0].bytes, 20 * kMiB);
    EXPECT_EQ(events[0].address, static_cast<Address>(10 * kMiB));
}

TEST(OutOfMemoryTest, aMemoryFractionLimitsWhatIsReserved)
{
    CachingAllocator allocator({.limitBytes = 100 * kMiB, .totalBytes = 100 * kMiB});
    allocator.setMemoryFraction(0.5);
    allocator.allocate(30 * kMiB);
    const OutOfMemoryFacts facts = failure(allocator, 30 * kMiB);
    EXPECT_EQ(facts.freeDeviceBytes, 20 * kMiB);
    EXPECT_EQ(facts.missingBytes, 10 * kMiB);
    allocator.setMemoryFraction(0.6);
    EXPECT_NE(allocator.allocate(30 * kMiB), 0u);
    EXPECT_THROW(allocator.setMemoryFraction(1.5), Error);
}

TEST(OutOfMemoryTest, aFractionBelowWhatIsTakenCountsTheExcessAsMissing)
{
    CachingAllocator allocator({.limitBytes = 100 * kMiB});
    allocator.allocate(50 * kMiB);
    allocator.setMemoryFraction(0.25);
    const OutOfMemoryFacts facts = failure(allocator, 20 * kMiB);
    EXPECT_EQ(facts.freeDeviceBytes, 0);
    EXPECT_EQ(facts.missingBytes, 45 * kMiB);
}

TEST(OutOfMemoryTest, rejectingKeepsTheCacheAndDoesNotRetry)
{
    const AllocatorSettings settings =
        parseAllocatorSettings("throw_on_cudamalloc_oom:True,per_process_memory_fraction:0.5");
    CachingAllocator allocator({.limitBytes = 100 * kMiB}, settings);
    allocator.free(allocator.allocate(30 * kMiB));
    failure(allocator, 40 * kMiB);
    EXPECT_EQ(allocator.stats().numOomRejections, 1);
    EXPECT_EQ(allocator.stats().numAllocRetries, 0);
    EXPECT_EQ(allocator.stats().reservedBytes.aggregate.current, 30 * kMiB);
}

TEST(OutOfMemoryTest, withMaxSplitAFittingOversizeBlockIsReleasedBeforeTheWholeCache)
{
    CachingAllocator allocator({.limitBytes = 300 * kMiB}, parseAllocatorSettings("max_split_size_mb:64"));
    const Address first = allocator.allocate(120 * kMiB);
    const Address second = allocator.allocate(70 * kMiB);
    const Address small = allocator.allocate(40 * kMiB);
    for (const Address address : {first, second, small})
        allocator.free(address);
    allocator.allocate(95 * kMiB); // 230 cached; 120 is 25 larger: refused, then released
    EXPECT_EQ(allocator.stats().reservedBytes.aggregate.current, (70 + 40 + 96) * kMiB);
    EXPECT_EQ(allocator.stats().numAllocRetries, 0);
}

TEST(OutOfMemoryTest, withMaxSplitTheLargestOversizeBlocksAreReleasedUntilThereIsEnough)
{
    CachingAllocator allocator({.limitBytes = 300 * kMiB}, parseAllocatorSettings("max_split_size_mb:64"));
    std::vector<Address> blocks;
    for (const Bytes size : {70 * kMiB, 80 * kMiB, 90 * kMiB, 30 * kMiB})
        blocks.push_back(allocator.allocate(size));
    for (const Address address : blocks)
        allocator.free(address);
    allocator.allocate(150 * kMiB); // needs 90 + 80 of the stream's largest
    EXPECT_EQ(allocator.stats().reservedBytes.aggregate.current, (70 + 30 + 150) * kMiB);
    EXPECT_EQ(allocator.stats().numAllocRetries, 0);
}

} // namespace
} // namespace headroom::simulator
