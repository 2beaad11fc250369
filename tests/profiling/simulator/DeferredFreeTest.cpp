// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/CachingAllocator.h"

#include <gtest/gtest.h>

namespace headroom::simulator {
namespace {

constexpr Stream kCopy = 1;
constexpr Stream kOther = 2;

class DeferredFreeTest : public testing::Test {
protected:
    Bytes allocated() const { return m_allocator.stats().allocatedBytes.aggregate.current; }
    Bytes active() const { return m_allocator.stats().activeBytes.aggregate.current; }

    CachingAllocator m_allocator;
};

TEST_F(DeferredFreeTest, aBlockUsedElsewhereStaysActiveUntilThatStreamIsDone)
{
    const Address block = m_allocator.allocate(30 * kMiB);
    m_allocator.recordStream(block, kCopy);
    m_allocator.free(block);
    EXPECT_EQ(allocated(), 0);
    EXPECT_EQ(active(), 30 * kMiB);
    EXPECT_EQ(m_allocator.stats().requestedBytes.aggregate.current, 30 * kMiB);
    EXPECT_EQ(m_allocator.snapshot().segments.at(0).blocks.at(0).state, BlockState::ActivePendingFree);
    EXPECT_NE(m_allocator.allocate(30 * kMiB), block);
}

TEST_F(DeferredFreeTest, theNextAllocationAfterSynchronizingReusesIt)
{
    const Address block = m_allocator.allocate(30 * kMiB);
    m_allocator.recordStream(block, kCopy);
    m_allocator.free(block);
    m_allocator.synchronize(kCopy);
    EXPECT_EQ(active(), 30 * kMiB); // looked at only by the next allocation
    EXPECT_EQ(m_allocator.allocate(30 * kMiB), block);
    EXPECT_EQ(m_allocator.stats().reservedBytes.aggregate.current, 30 * kMiB);
}

TEST_F(DeferredFreeTest, everyStreamThatUsesItMustBeDone)
{
    const Address block = m_allocator.allocate(30 * kMiB);
    m_allocator.recordStream(block, kCopy);
    m_allocator.recordStream(block, kOther);
    m_allocator.recordStream(block, kOther);
    m_allocator.free(block);
    m_allocator.synchronize(kOther);
    m_allocator.allocate(512);
    EXPECT_EQ(active(), 30 * kMiB + 512);
    m_allocator.synchronize(kCopy);
    m_allocator.allocate(512);
    EXPECT_EQ(active(), 1024);
}

TEST_F(DeferredFreeTest, useOnItsOwnStreamDefersNothing)
{
    const Address block = m_allocator.allocate(30 * kMiB, kCopy);
    m_allocator.recordStream(block, kCopy);
    m_allocator.free(block);
    EXPECT_EQ(active(), 0);
}

TEST_F(DeferredFreeTest, aDeferredBlockDoesNotMergeWithItsNeighbours)
{
    const Address a = m_allocator.allocate(4 * kMiB);
    const Address b = m_allocator.allocate(4 * kMiB);
    m_allocator.recordStream(a, kCopy);
    m_allocator.free(a);
    m_allocator.free(b);
    EXPECT_EQ(m_allocator.snapshot().segments.at(0).blocks.size(), 2u);
    m_allocator.synchronizeAll();
    EXPECT_EQ(m_allocator.allocate(20 * kMiB), a);
}

TEST_F(DeferredFreeTest, neighboursThatBecomeFreeTogetherMerge)
{
    const Address a = m_allocator.allocate(4 * kMiB);
    const Address b = m_allocator.allocate(4 * kMiB);
    for (const Address address : {a, b}) {
        m_allocator.recordStream(address, kCopy);
        m_allocator.free(address);
    }
    m_allocator.synchronize(kCopy);
    EXPECT_EQ(m_allocator.allocate(20 * kMiB), a);
}

TEST_F(DeferredFreeTest, aNeighbourThatAnotherStreamStillUsesIsNotTaken)
{
    const Address a = m_allocator.allocate(4 * kMiB);
    const Address b = m_allocator.allocate(4 * kMiB);
    m_allocator.recordStream(a, kCopy);
    m_allocator.free(b);
    EXPECT_EQ(m_allocator.snapshot().segments.at(0).blocks.at(0).bytes, 4 * kMiB);
    m_allocator.free(a);
    EXPECT_EQ(m_allocator.snapshot().segments.at(0).allocatedBytes, 0);
    EXPECT_EQ(m_allocator.snapshot().segments.at(0).activeBytes, 4 * kMiB);
}

TEST_F(DeferredFreeTest, emptyCacheWaitsForAllStreams)
{
    const Address block = m_allocator.allocate(30 * kMiB);
    m_allocator.recordStream(block, kCopy);
    m_allocator.free(block);
    m_allocator.emptyCache();
    EXPECT_EQ(m_allocator.stats().reservedBytes.aggregate.current, 0);
    EXPECT_EQ(m_allocator.stats().numSyncAllStreams, 1);
}

TEST(DeferredFreeUnderPressureTest, aFailingRequestWaitsForStreamsBeforeItGivesUp)
{
    CachingAllocator allocator({.limitBytes = 50 * kMiB});
    const Address block = allocator.allocate(30 * kMiB);
    allocator.recordStream(block, kCopy);
    allocator.free(block);
    EXPECT_NE(allocator.allocate(40 * kMiB), 0u);
    EXPECT_EQ(allocator.stats().numAllocRetries, 1);
}

} // namespace
} // namespace headroom::simulator
