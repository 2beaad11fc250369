// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/MemoryPools.h"

#include "core/base/Error.h"
#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"

#include <gtest/gtest.h>

namespace headroom::simulator::memory_pools_test {
namespace {

Bytes reserved(const SimulatedAllocator& allocator)
{
    return allocator.stats().reservedBytes.aggregate.current;
}

TEST(MemoryPools, ARoutedRequestDoesNotTouchTheDefaultPools)
{
    CachingAllocator allocator;
    const Address cached = allocator.allocate(30 * kMiB);
    allocator.free(cached);
    const MempoolId pool = allocator.createPool();
    allocator.beginRoute(pool);
    const Address routed = allocator.allocate(30 * kMiB);
    allocator.endRoute(pool);
    EXPECT_NE(routed, cached);
    EXPECT_EQ(allocator.allocate(30 * kMiB), cached);
    EXPECT_EQ(allocator.snapshot().segments.at(1).mempool, pool);
}

TEST(MemoryPools, ARouteCanBeForOneStream)
{
    CachingAllocator allocator;
    const MempoolId pool = allocator.createPool();
    allocator.beginRoute(pool, Stream{4});
    allocator.allocate(512, 0);
    allocator.allocate(512, 4);
    EXPECT_EQ(allocator.snapshot().segments.at(0).mempool, kDefaultMempool);
    EXPECT_EQ(allocator.snapshot().segments.at(1).mempool, pool);
}

TEST(MemoryPools, APoolKeepsItsCacheUntilItIsReleased)
{
    CachingAllocator allocator;
    const MempoolId pool = allocator.createPool();
    allocator.beginRoute(pool);
    allocator.free(allocator.allocate(30 * kMiB));
    allocator.endRoute(pool);
    allocator.emptyCache();
    EXPECT_EQ(reserved(allocator), 30 * kMiB);
    allocator.releasePool(pool);
    allocator.emptyCache();
    EXPECT_EQ(reserved(allocator), 0);
    EXPECT_THROW(allocator.beginRoute(pool), Error);
}

TEST(MemoryPools, BlocksOutliveTheReleaseOfTheirPool)
{
    CachingAllocator allocator;
    const MempoolId pool = allocator.createPool();
    allocator.beginRoute(pool);
    const Address block = allocator.allocate(30 * kMiB);
    allocator.endRoute(pool);
    allocator.releasePool(pool);
    allocator.emptyCache();
    EXPECT_EQ(reserved(allocator), 30 * kMiB);
    allocator.free(block);
    allocator.emptyCache();
    EXPECT_EQ(reserved(allocator), 0);
}

TEST(MemoryPools, ARoutedPoolCannotBeReleased)
{
    CachingAllocator allocator;
    const MempoolId pool = allocator.createPool();
    allocator.beginRoute(pool);
    EXPECT_THROW(allocator.releasePool(pool), Error);
    allocator.endRoute(pool);
    EXPECT_THROW(allocator.endRoute(pool), Error);
}

TEST(MemoryPools, APoolWithoutSplittingHandsOutWholeSegments)
{
    CachingAllocator allocator;
    const MempoolId pool = allocator.createPool({.splitting = Splitting::Never});
    allocator.beginRoute(pool);
    allocator.allocate(5 * kMiB);
    EXPECT_EQ(allocator.stats().allocatedBytes.aggregate.current, 20 * kMiB);
}

TEST(MemoryPools, AnOverflowPoolServesTheDefaultPoolsBeforeOutOfMemory)
{
    for (const Overflow overflow : {Overflow::Allowed, Overflow::Refused}) {
        CachingAllocator allocator({.limitBytes = 40 * kMiB});
        const MempoolId pool = allocator.createPool({.overflow = overflow});
        allocator.beginRoute(pool);
        const Address spare = allocator.allocate(30 * kMiB);
        allocator.free(spare);
        allocator.endRoute(pool);
        if (overflow == Overflow::Allowed) {
            EXPECT_EQ(allocator.allocate(25 * kMiB), spare);
        } else {
            EXPECT_THROW(allocator.allocate(25 * kMiB), OutOfMemory);
        }
    }
}

} // namespace
} // namespace headroom::simulator::memory_pools_test
