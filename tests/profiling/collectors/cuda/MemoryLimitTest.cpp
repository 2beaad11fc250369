// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaInstruments.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::collectors::memory_limit_test {
namespace {

// What LibTorch's allocator makes of the fraction.
Bytes allowed(double fraction, Bytes totalBytes)
{
    return static_cast<Bytes>(static_cast<std::size_t>(fraction * static_cast<double>(totalBytes)));
}

// Of the shipped profiles of H200, B200, H100, A100, RTX 4090 and T4, and a small odd one.
constexpr Bytes kTotals[] = {
    150'754'820'096, 192'265'846'784, 85'520'809'984, 85'899'345'920, 25'757'220'864, 16'106'127'360, 1'000'000'007};

TEST(MemoryLimitTest, everyWholeGibibyteIsAllowedToTheByte)
{
    int plainlyShort = 0;
    for (const Bytes total : kTotals)
        for (Bytes limit = kGiB; limit < total; limit += kGiB) {
            EXPECT_EQ(allowed(memoryFraction(limit, total), total), limit) << limit << " of " << total;
            EXPECT_LT(memoryFraction(limit, total), 1.0) << "1 lifts the limit";
            plainlyShort += allowed(static_cast<double>(limit) / static_cast<double>(total), total) == limit ? 0 : 1;
        }
    EXPECT_GT(plainlyShort, 0) << "the quotient alone would do";
}

TEST(MemoryLimitTest, anyNumberOfBytesIsAllowedToTheByte)
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 200'000; ++i) {
        const Bytes total = kTotals[random() % std::size(kTotals)] - static_cast<Bytes>(random() % 4096);
        const Bytes limit = static_cast<Bytes>(random() % static_cast<std::uint64_t>(total));
        ASSERT_EQ(allowed(memoryFraction(limit, total), total), limit) << limit << " of " << total;
    }
}

TEST(MemoryLimitTest, theBordersAreExact)
{
    for (const Bytes total : kTotals) {
        EXPECT_EQ(allowed(memoryFraction(0, total), total), 0);
        EXPECT_EQ(allowed(memoryFraction(1, total), total), 1);
        EXPECT_EQ(allowed(memoryFraction(total - 1, total), total), total - 1);
        EXPECT_EQ(memoryFraction(total, total), 1.0);
        EXPECT_EQ(memoryFraction(2 * total, total), 1.0);
    }
}

} // namespace
} // namespace headroom::collectors::memory_limit_test
