// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/OrderedPool.h"

#include <gmock/gmock.h>

#include <chrono>
#include <future>
#include <stdexcept>

namespace headroom::experiments::ordered_pool_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

using Pool = OrderedPool<int, int>;

constexpr auto kPatience = 10s; // only ends a test that fails

// The jobs 0, 1, … up to a count.
class Numbers : public Pool::Source {
public:
    explicit Numbers(int count)
        : m_count(count)
    {
    }
    bool hasNext() override { return m_next < m_count; }
    int next() override { return m_next++; }

private:
    int m_count;
    int m_next = 0;
};

// Job 0 is over once `others` have been looked at, and its answer says whether that came to be.
class OrderedPoolTest : public testing::Test {
protected:
    Pool::Hire hire()
    {
        return [this]() -> Pool::Carrier {
            return [this](const int& job) {
                return job == 0 ? int(m_mayEnd.get_future().wait_for(kPatience) == std::future_status::ready)
                                : 10 * job;
            };
        };
    }

    Pool::Look lookAt(int others)
    {
        return [this, others](const int& job, const int& answer) {
            m_seen.emplace_back(job, answer);
            if (std::ssize(m_seen) == others)
                m_mayEnd.set_value();
        };
    }

    std::promise<void> m_mayEnd;
    std::vector<std::pair<int, int>> m_seen;
};

TEST_F(OrderedPoolTest, answersAreLookedAtWhileAnEarlierJobStillRunsAndTakenInOrder)
{
    Numbers numbers(4);
    Pool pool(2, numbers, hire());
    std::vector<int> taken;
    while (pool.next() != nullptr)
        taken.push_back(pool.take(lookAt(3)));
    EXPECT_THAT(taken, ElementsAre(1, 10, 20, 30));
    EXPECT_THAT(m_seen, testing::UnorderedElementsAre(std::pair(1, 10), std::pair(2, 20), std::pair(3, 30)));
}

TEST_F(OrderedPoolTest, othersGoOnWhileAnAnswerIsLookedAt)
{
    Numbers numbers(3);
    std::promise<void> lastBegan;
    Pool pool(2, numbers, [&]() -> Pool::Carrier {
        return [&, carrier = hire()()](const int& job) {
            if (job == 2)
                lastBegan.set_value();
            return carrier(job);
        };
    });
    pool.next();
    EXPECT_EQ(pool.take([&, look = lookAt(2)](const int& job, const int& answer) {
        if (job == 1) {
            EXPECT_EQ(lastBegan.get_future().wait_for(kPatience), std::future_status::ready);
        }
        look(job, answer);
    }),
        1);
}

TEST_F(OrderedPoolTest, whatLookingThrowsIsThrownAndTheRestCanBeForgotten)
{
    Numbers numbers(2);
    Pool pool(2, numbers, hire());
    pool.next();
    EXPECT_THROW(pool.take([this](const int&, const int&) {
        m_mayEnd.set_value();
        throw std::runtime_error("no more room");
    }),
        std::runtime_error);
    pool.drain();
    EXPECT_EQ(pool.next(), nullptr);
}

} // namespace
} // namespace headroom::experiments::ordered_pool_test
