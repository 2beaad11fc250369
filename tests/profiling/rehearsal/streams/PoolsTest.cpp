// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/DescribedCard.h"

#include <cstdint>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace headroom::rehearsal::tests {
namespace {

constexpr std::size_t kChunk = 32 * kMebibyte;

class Pools : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(cudaDeviceGetDefaultMemPool(&m_pool, 0), cudaSuccess); }
    void TearDown() override
    {
        setThreshold(0);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(ask(cudaMemPoolAttrReservedMemCurrent), 0U);
    }

    std::uint64_t ask(cudaMemPoolAttr attribute) const
    {
        std::uint64_t value = 0;
        EXPECT_EQ(cudaMemPoolGetAttribute(m_pool, attribute, &value), cudaSuccess);
        return value;
    }
    void setThreshold(std::uint64_t bytes) const
    {
        ASSERT_EQ(cudaMemPoolSetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &bytes), cudaSuccess);
    }
    static void* allocate(std::size_t bytes)
    {
        void* address = nullptr;
        EXPECT_EQ(cudaMallocAsync(&address, bytes, nullptr), cudaSuccess);
        return address;
    }

    cudaMemPool_t m_pool = nullptr;
};

TEST_F(Pools, countWhatIsUsedAndReserved)
{
    const std::size_t before = freeBytes();
    void* address = allocate(1000);
    EXPECT_EQ(ask(cudaMemPoolAttrUsedMemCurrent), 1024U);
    EXPECT_EQ(ask(cudaMemPoolAttrReservedMemCurrent), kChunk);
    EXPECT_EQ(freeBytes(), before - kChunk);
    ASSERT_EQ(cudaFreeAsync(address, nullptr), cudaSuccess);
    EXPECT_EQ(ask(cudaMemPoolAttrUsedMemCurrent), 0U);
    EXPECT_EQ(freeBytes(), before - kChunk) << "until the host waits";
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_EQ(freeBytes(), before);
}

TEST_F(Pools, keepWhatIsBelowTheirThreshold)
{
    setThreshold(kChunk);
    ASSERT_EQ(cudaFreeAsync(allocate(1), nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(ask(cudaMemPoolAttrReservedMemCurrent), kChunk);
    ASSERT_EQ(cudaMemPoolTrimTo(m_pool, 0), cudaSuccess);
    EXPECT_EQ(ask(cudaMemPoolAttrReservedMemCurrent), 0U);
}

TEST_F(Pools, giveFreedMemoryToTheSameStreamAtOnce)
{
    void* first = allocate(10 * kMebibyte);
    ASSERT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
    EXPECT_EQ(allocate(10 * kMebibyte), first);
    EXPECT_EQ(ask(cudaMemPoolAttrReservedMemCurrent), kChunk);
    ASSERT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
}

TEST_F(Pools, doNotShareBetweenStreamsWhereThatIsForbidden)
{
    int no = 0;
    ASSERT_EQ(cudaMemPoolSetAttribute(m_pool, cudaMemPoolReuseAllowInternalDependencies, &no), cudaSuccess);
    void* first = allocate(20 * kMebibyte);
    ASSERT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
    cudaStream_t other = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    void* second = nullptr;
    ASSERT_EQ(cudaMallocAsync(&second, 20 * kMebibyte, other), cudaSuccess);
    EXPECT_NE(first, second);
    ASSERT_EQ(cudaFreeAsync(second, other), cudaSuccess);
    ASSERT_EQ(cudaStreamDestroy(other), cudaSuccess);
    int yes = 1;
    ASSERT_EQ(cudaMemPoolSetAttribute(m_pool, cudaMemPoolReuseAllowInternalDependencies, &yes), cudaSuccess);
}

TEST_F(Pools, carryValuesInPartsOfPages)
{
    void* first = allocate(600);
    void* second = allocate(600);
    const int one = 1;
    const int two = 2;
    ASSERT_EQ(cudaMemcpy(first, &one, sizeof one, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(second, &two, sizeof two, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaFreeAsync(second, nullptr), cudaSuccess);
    ASSERT_EQ(allocate(600), second);
    int read = -1;
    ASSERT_EQ(cudaMemcpy(&read, first, sizeof read, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(read, 1);
    ASSERT_EQ(cudaMemcpy(&read, second, sizeof read, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(read, 0) << "what was there went with its part";
    ASSERT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
    ASSERT_EQ(cudaFreeAsync(second, nullptr), cudaSuccess);
}

TEST_F(Pools, runOutOfMemoryWithTheCard)
{
    void* rest = nullptr;
    ASSERT_EQ(cudaMalloc(&rest, freeBytes() - kChunk), cudaSuccess);
    void* last = allocate(kChunk);
    void* none = nullptr;
    EXPECT_EQ(cudaMallocAsync(&none, 1, nullptr), cudaErrorMemoryAllocation);
    ASSERT_EQ(cudaFreeAsync(last, nullptr), cudaSuccess);
    ASSERT_EQ(cudaFree(rest), cudaSuccess);
    cudaGetLastError();
}

} // namespace
} // namespace headroom::rehearsal::tests
