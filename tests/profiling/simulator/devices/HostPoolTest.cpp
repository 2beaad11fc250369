// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/devices/HostPool.h"

#include "core/base/Error.h"

#include <gtest/gtest.h>

namespace headroom::simulator {
namespace {

TEST(HostPoolTest, pinnedBytesRoundUpToPowersOfTwo)
{
    EXPECT_EQ(HostPool::occupiedBytes(HostMemory::Pinned, 1), 1);
    EXPECT_EQ(HostPool::occupiedBytes(HostMemory::Pinned, 1000), 1024);
    EXPECT_EQ(HostPool::occupiedBytes(HostMemory::Pinned, 1024), 1024);
    EXPECT_EQ(HostPool::occupiedBytes(HostMemory::Pinned, 1025), 2048);
    EXPECT_EQ(HostPool::occupiedBytes(HostMemory::Pinned, 0), 0);
    EXPECT_EQ(HostPool::occupiedBytes(HostMemory::Pageable, 1000), 1000);
}

TEST(HostPoolTest, countsPinnedAndPageableApart)
{
    HostPool pool;
    pool.allocate(HostMemory::Pinned, 1000);
    pool.allocate(HostMemory::Pageable, 700);
    pool.allocate(HostMemory::Pinned, 3);
    pool.free(HostMemory::Pinned, 1000);
    EXPECT_EQ(pool.bytes(HostMemory::Pinned), (Stat{4, 1028, 1028, 1024}));
    EXPECT_EQ(pool.requestedBytes(HostMemory::Pinned).current, 3);
    EXPECT_EQ(pool.allocations(HostMemory::Pinned), (Stat{1, 2, 2, 1}));
    EXPECT_EQ(pool.bytes(HostMemory::Pageable).current, 700);
}

TEST(HostPoolTest, resettingPeaksStartsFromWhatIsHeld)
{
    HostPool pool;
    pool.allocate(HostMemory::Pageable, 700);
    pool.allocate(HostMemory::Pageable, 300);
    pool.free(HostMemory::Pageable, 700);
    pool.resetPeaks();
    EXPECT_EQ(pool.bytes(HostMemory::Pageable).peak, 300);
}

TEST(HostPoolTest, refusesWhatWasNotCountedIn)
{
    HostPool pool;
    EXPECT_THROW(pool.free(HostMemory::Pinned, 1), Error);
    pool.allocate(HostMemory::Pageable, 10);
    EXPECT_THROW(pool.free(HostMemory::Pinned, 10), Error);
    EXPECT_THROW(pool.free(HostMemory::Pageable, 11), Error);
    EXPECT_THROW(pool.allocate(HostMemory::Pinned, -1), Error);
}

} // namespace
} // namespace headroom::simulator
