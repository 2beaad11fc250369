// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/DescribedCard.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

extern "C" {
void headroomCardRead(void* host, const void* device, std::size_t bytes);
void headroomCardWrite(void* device, const void* host, std::size_t bytes);
int headroomCardAnswer(const void* value, std::size_t bytes);
}

namespace headroom::rehearsal::tests {
namespace {

class Values : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_EQ(cudaMalloc(&m_one, kBytes), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&m_other, kBytes), cudaSuccess);
    }
    void TearDown() override
    {
        EXPECT_EQ(cudaFree(m_one), cudaSuccess);
        EXPECT_EQ(cudaFree(m_other), cudaSuccess);
    }

    static std::vector<int> read(const void* from, std::size_t count)
    {
        std::vector<int> values(count, -1);
        EXPECT_EQ(cudaMemcpy(values.data(), from, count * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
        return values;
    }
    static void write(void* to, const std::vector<int>& values)
    {
        ASSERT_EQ(cudaMemcpy(to, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
    }
    static std::vector<int> counted(std::size_t count)
    {
        std::vector<int> values(count);
        std::iota(values.begin(), values.end(), 1);
        return values;
    }

    static constexpr std::size_t kBytes = 64 * kMebibyte;
    void* m_one = nullptr;
    void* m_other = nullptr;
};

TEST_F(Values, ofFreshMemoryAreZero)
{
    EXPECT_EQ(read(m_one, 1000), std::vector<int>(1000));
}

TEST_F(Values, stayTrueWhereTheyAreSmallAndCameFromTheHost)
{
    const auto values = counted(100'000);
    int* inTheMiddle = static_cast<int*>(m_one) + 12'345;
    write(inTheMiddle, values);
    EXPECT_EQ(read(inTheMiddle, values.size()), values);
    EXPECT_EQ(read(m_one, 12'346).back(), 1);
    ASSERT_EQ(cudaMemcpy(m_other, inTheMiddle, values.size() * sizeof(int), cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(read(m_other, values.size()), values);
}

TEST_F(Values, thatAreLargeMoveNothingAndAreForgotten)
{
    write(m_one, counted(10));
    const std::vector<int> large(8 * kMebibyte / sizeof(int), 7);
    write(m_one, large);
    EXPECT_EQ(read(m_one, 10), std::vector<int>(10));
    std::vector<int> untouched(large.size(), 3);
    ASSERT_EQ(cudaMemcpy(untouched.data(), m_one, untouched.size() * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(untouched, std::vector<int>(large.size(), 3));
}

TEST_F(Values, ofFillsAreTrueWhereTheyAreSmall)
{
    write(m_one, counted(1000));
    ASSERT_EQ(cudaMemset(m_one, 1, 400), cudaSuccess);
    auto values = read(m_one, 101);
    EXPECT_EQ(values[0], 0x01010101);
    EXPECT_EQ(values[99], 0x01010101);
    EXPECT_EQ(values[100], 101);
    ASSERT_EQ(cudaMemset(m_one, 1, kBytes), cudaSuccess);
    EXPECT_EQ(read(m_one, 1000), std::vector<int>(1000));
}

TEST_F(Values, ofRowsAreMovedRowByRow)
{
    const auto values = counted(6);
    ASSERT_EQ(cudaMemcpy2D(m_one, 1024, values.data(), 2 * sizeof(int), 2 * sizeof(int), 3, cudaMemcpyHostToDevice),
        cudaSuccess);
    EXPECT_EQ(read(static_cast<char*>(m_one) + 2048, 2), (std::vector<int>{5, 6}));
    EXPECT_EQ(read(static_cast<char*>(m_one) + 8, 1), std::vector<int>(1)) << "between rows nothing is written";
}

TEST_F(Values, goWithTheirMemory)
{
    void* address = nullptr;
    ASSERT_EQ(cudaMalloc(&address, 100), cudaSuccess);
    write(address, counted(10));
    ASSERT_EQ(cudaFree(address), cudaSuccess);
    void* again = nullptr;
    ASSERT_EQ(cudaMalloc(&again, 100), cudaSuccess);
    EXPECT_EQ(again, address) << "the driver's placement takes the same place";
    EXPECT_EQ(read(again, 10), std::vector<int>(10));
    EXPECT_EQ(cudaFree(again), cudaSuccess);
}

TEST_F(Values, ofAnyLengthAreComputedOutsideOfStreams)
{
    const auto values = counted(kMebibyte);
    headroomCardWrite(m_one, values.data(), values.size() * sizeof(int));
    EXPECT_EQ(read(static_cast<char*>(m_one) + 4 * kMebibyte - 8, 3), (std::vector<int>{kMebibyte - 1, kMebibyte, 0}));
    std::vector<int> again(values.size());
    headroomCardRead(again.data(), m_one, again.size() * sizeof(int));
    EXPECT_EQ(again, values);
}

TEST_F(Values, ofTheNextReadOfThatLengthCanBeGiven)
{
    write(m_one, counted(10));
    const int seven = 7;
    EXPECT_EQ(headroomCardAnswer(&seven, sizeof(seven)), 0);
    EXPECT_EQ(read(m_one, 2), (std::vector<int>{1, 2})) << "a read of another length";
    EXPECT_EQ(read(m_one, 1), std::vector<int>{7});
    EXPECT_EQ(read(m_one, 1), std::vector<int>{1}) << "once only";
    headroomCardAnswer(&seven, sizeof(seven));
    EXPECT_EQ(headroomCardAnswer(nullptr, 0), 1) << "nobody took it";
    EXPECT_EQ(read(m_one, 1), std::vector<int>{1});
}

} // namespace
} // namespace headroom::rehearsal::tests
