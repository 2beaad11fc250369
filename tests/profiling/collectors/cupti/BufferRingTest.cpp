// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/BufferRing.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace headroom::collectors::cupti {
namespace {

constexpr std::size_t kBytes = 4096;

TEST(BufferRingTest, buffersAreAlignedZeroedAndApart)
{
    BufferRing ring(1); // as small as a page
    EXPECT_EQ(ring.bufferBytes(), kBytes);
    std::uint8_t* first = ring.take();
    std::uint8_t* second = ring.take();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 8, 0U);
    EXPECT_GE(static_cast<std::size_t>(std::abs(second - first)), kBytes);
    EXPECT_EQ(std::vector<std::uint8_t>(first, first + kBytes), std::vector<std::uint8_t>(kBytes, 0));
}

TEST(BufferRingTest, whenAllAreOutARequestIsRefusedAndCounted)
{
    BufferRing ring(kBytes);
    EXPECT_TRUE(ring.isIdle());
    for (std::size_t index = 0; index < BufferRing::kCount; ++index)
        EXPECT_NE(ring.take(), nullptr);
    EXPECT_EQ(ring.take(), nullptr);
    EXPECT_EQ(ring.refused(), 1);
    EXPECT_FALSE(ring.isIdle());
}

TEST(BufferRingTest, filledBuffersAreReadInTheOrderOfTheirReturn)
{
    BufferRing ring(kBytes);
    std::uint8_t* first = ring.take();
    std::uint8_t* second = ring.take();
    second[0] = 2;
    ring.complete(second, 8);
    first[0] = 1;
    ring.complete(first, 16);
    ASSERT_EQ(ring.nextFilled()->data(), second);
    ring.release();
    const auto valid = ring.nextFilled();
    ASSERT_EQ(valid->data(), first);
    EXPECT_EQ(valid->size(), 16U);
    ring.release();
    EXPECT_FALSE(ring.nextFilled());
    EXPECT_EQ(ring.take()[0], 0); // zeroed for its next use
}

TEST(BufferRingTest, aBufferOfSomebodyElseIsCountedAndLeftAlone)
{
    BufferRing ring(kBytes);
    std::uint8_t other[8]{};
    ring.complete(other, 8);
    EXPECT_EQ(ring.foreign(), 1);
    EXPECT_FALSE(ring.nextFilled());
}

TEST(BufferRingTest, moreValidBytesThanABufferHasAreNotBelieved)
{
    BufferRing ring(kBytes);
    ring.complete(ring.take(), 10 * kBytes);
    EXPECT_EQ(ring.nextFilled()->size(), kBytes);
}

// Several threads fill buffers while one reads: nothing is lost, nothing is read twice.
TEST(BufferRingTest, everyBufferThatThreadsFillIsReadOnce)
{
    constexpr int kThreads = 4;
    constexpr std::uint32_t kEach = 2000;
    BufferRing ring(kBytes);
    std::atomic<int> running = kThreads;
    std::vector<std::jthread> threads;
    for (std::uint32_t thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&, thread] {
            for (std::uint32_t number = 0; number < kEach;)
                if (std::uint8_t* buffer = ring.take()) {
                    const std::uint32_t value = thread * kEach + number++;
                    std::memcpy(buffer, &value, sizeof(value));
                    ring.complete(buffer, sizeof(value));
                } else
                    std::this_thread::yield();
            --running;
        });
    std::vector<int> seen(kThreads * kEach, 0);
    const auto readAll = [&] {
        while (const auto valid = ring.nextFilled()) {
            std::uint32_t value = 0;
            std::memcpy(&value, valid->data(), sizeof(value));
            ++seen.at(value);
            ring.release();
        }
    };
    while (running > 0)
        readAll();
    readAll();
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
    EXPECT_TRUE(ring.isIdle());
}

} // namespace
} // namespace headroom::collectors::cupti
