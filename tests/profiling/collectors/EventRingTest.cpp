// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/EventRing.h"

#include <gmock/gmock.h>

#include <thread>

namespace headroom::collectors {
namespace {

std::vector<int> drained(EventRing<int>& ring)
{
    std::vector<int> entries;
    ring.drain([&](int entry) { entries.push_back(entry); });
    return entries;
}

TEST(EventRingTest, entriesComeOutInOrder)
{
    EventRing<int> ring(4);
    for (int round = 0; round < 5; ++round) {
        EXPECT_TRUE(ring.push(3 * round));
        EXPECT_TRUE(ring.push(3 * round + 1));
        EXPECT_TRUE(ring.push(3 * round + 2));
        EXPECT_THAT(drained(ring), testing::ElementsAre(3 * round, 3 * round + 1, 3 * round + 2));
    }
    EXPECT_TRUE(drained(ring).empty());
    EXPECT_EQ(ring.lost(), 0);
}

TEST(EventRingTest, whatDoesNotFitIsCountedAndTheRestKept)
{
    EventRing<int> ring(4);
    for (int entry = 0; entry < 7; ++entry)
        EXPECT_EQ(ring.push(entry), entry < 4);
    EXPECT_EQ(ring.lost(), 3);
    EXPECT_THAT(drained(ring), testing::ElementsAre(0, 1, 2, 3));
    EXPECT_TRUE(ring.push(9));
    EXPECT_THAT(drained(ring), testing::ElementsAre(9));
}

// Every entry is either handed over once, in its thread's order, or counted as lost.
TEST(EventRingTest, threadsThatWriteLoseNothingUncounted)
{
    constexpr int kThreads = 3;
    constexpr int kEach = 20'000;
    EventRing<int> ring(64);
    std::atomic<int> running = kThreads;
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&, thread] {
            for (int number = 0; number < kEach; ++number)
                ring.push(thread * kEach + number);
            --running;
        });
    std::vector<int> last(kThreads, -1);
    std::int64_t received = 0;
    const auto receive = [&](int entry) {
        int& before = last.at(static_cast<std::size_t>(entry / kEach));
        EXPECT_GT(entry % kEach, before);
        before = entry % kEach;
        ++received;
    };
    while (running > 0)
        ring.drain(receive);
    ring.drain(receive);
    EXPECT_EQ(received + ring.lost(), kThreads * kEach);
}

} // namespace
} // namespace headroom::collectors
