// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/PeakBreakdown.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

namespace headroom::trace {
namespace {

AllocatorEvent event(Action action, Bytes bytes, OwnerId owner, OwnerId previous = kUnknownOwner)
{
    AllocatorEvent result;
    result.action = action;
    result.bytes = bytes;
    result.owner = owner;
    result.previousOwner = previous;
    return result;
}

std::map<OwnerId, Bytes> held(const std::vector<Bytes>& byOwner)
{
    std::map<OwnerId, Bytes> result;
    for (std::size_t owner = 0; owner < byOwner.size(); ++owner)
        if (byOwner[owner] != 0)
            result[static_cast<OwnerId>(owner)] = byOwner[owner];
    return result;
}

// Keeps every state: the peak is looked for among all of them.
class EveryState {
public:
    void restart() { m_states = {m_states.back()}; }

    void add(const AllocatorEvent& event)
    {
        State state = m_states.back();
        state.isChange = event.action != Action::Relabelled;
        if (event.action == Action::Alloc)
            state.bytes[event.owner] += event.bytes;
        else if (event.action == Action::FreeRequested)
            state.bytes[event.owner] -= event.bytes;
        else if (event.action == Action::Relabelled) {
            state.bytes[event.previousOwner] -= event.bytes;
            state.bytes[event.owner] += event.bytes;
        } else
            return;
        m_states.push_back(state);
    }

    std::map<OwnerId, Bytes> atPeak() const
    {
        std::size_t peak = 0;
        for (std::size_t index = 1; index < m_states.size(); ++index)
            if (total(m_states[index]) > total(m_states[peak]))
                peak = index;
        while (peak + 1 < m_states.size() && !m_states[peak + 1].isChange)
            ++peak;
        std::map<OwnerId, Bytes> result = m_states[peak].bytes;
        std::erase_if(result, [](const auto& item) { return item.second == 0; });
        return result;
    }

private:
    struct State {
        std::map<OwnerId, Bytes> bytes;
        bool isChange = false;
    };
    static Bytes total(const State& state)
    {
        Bytes sum = 0;
        for (const auto& [owner, bytes] : state.bytes)
            sum += bytes;
        return sum;
    }
    std::vector<State> m_states{State{}};
};

struct Live {
    Bytes bytes;
    OwnerId owner;
};

// A random life of blocks: many small rises and falls, so that peaks are passed often and also missed.
class RandomLife {
public:
    explicit RandomLife(unsigned seed)
        : m_random(seed)
    {
    }

    AllocatorEvent next()
    {
        const int choice = number(9);
        if (m_blocks.empty() || choice < 4)
            return allocate();
        const auto index = static_cast<std::size_t>(number(static_cast<int>(m_blocks.size()) - 1));
        return choice < 7 ? free(index) : relabel(index);
    }

private:
    int number(int largest) { return std::uniform_int_distribution<int>(0, largest)(m_random); }

    AllocatorEvent allocate()
    {
        m_blocks.push_back({1 + number(5), static_cast<OwnerId>(number(4))});
        return event(Action::Alloc, m_blocks.back().bytes, m_blocks.back().owner);
    }

    AllocatorEvent free(std::size_t index)
    {
        const Live block = m_blocks[index];
        m_blocks.erase(m_blocks.begin() + static_cast<std::ptrdiff_t>(index));
        return event(Action::FreeRequested, block.bytes, block.owner);
    }

    AllocatorEvent relabel(std::size_t index)
    {
        Live& block = m_blocks[index];
        const OwnerId previous = block.owner;
        block.owner = static_cast<OwnerId>(number(6));
        return event(Action::Relabelled, block.bytes, block.owner, previous);
    }

    std::mt19937 m_random;
    std::vector<Live> m_blocks;
};

TEST(PeakBreakdownTest, isWhatALookAtEveryStateFinds)
{
    for (unsigned seed = 0; seed < 200; ++seed) {
        RandomLife life(seed);
        PeakBreakdown breakdown;
        EveryState reference;
        for (int index = 0; index < 120; ++index) {
            if (index == 60) {
                breakdown.restart();
                reference.restart();
            }
            const AllocatorEvent event = life.next();
            breakdown.add(event);
            reference.add(event);
            const std::vector<Bytes> atPeak = breakdown.atPeak();
            ASSERT_EQ(held(atPeak), reference.atPeak()) << "seed " << seed << ", event " << index;
            ASSERT_EQ(std::accumulate(atPeak.begin(), atPeak.end(), Bytes{0}), breakdown.peakBytes());
        }
    }
}

TEST(PeakBreakdownTest, countsWhatBecomesKnownRightAfterThePeak)
{
    PeakBreakdown breakdown;
    breakdown.add(event(Action::Alloc, 8, 1));
    breakdown.add(event(Action::Relabelled, 8, 2, 1));
    breakdown.add(event(Action::FreeRequested, 8, 2));
    EXPECT_EQ(held(breakdown.atPeak()), (std::map<OwnerId, Bytes>{{2, 8}}));
}

TEST(PeakBreakdownTest, leavesOutWhatBecomesKnownLater)
{
    PeakBreakdown breakdown;
    breakdown.add(event(Action::Alloc, 8, 1));
    breakdown.add(event(Action::Alloc, 4, 1));
    breakdown.add(event(Action::FreeRequested, 4, 1));
    breakdown.add(event(Action::Relabelled, 8, 2, 1));
    EXPECT_EQ(held(breakdown.atPeak()), (std::map<OwnerId, Bytes>{{1, 12}}));
}

TEST(PeakBreakdownTest, staysWithTheFirstOfEqualPeaks)
{
    PeakBreakdown breakdown;
    EXPECT_TRUE(breakdown.add(event(Action::Alloc, 8, 1)));
    breakdown.add(event(Action::FreeRequested, 8, 1));
    EXPECT_FALSE(breakdown.add(event(Action::Alloc, 8, 2)));
    EXPECT_EQ(held(breakdown.atPeak()), (std::map<OwnerId, Bytes>{{1, 8}}));
}

TEST(PeakBreakdownTest, countsBytesFromTheRequestToFreeThem)
{
    PeakBreakdown breakdown;
    breakdown.add(event(Action::Alloc, 8, 1));
    breakdown.add(event(Action::FreeRequested, 8, 1));
    breakdown.add(event(Action::FreeCompleted, 8, 1));
    EXPECT_EQ(breakdown.allocatedBytes(), 0);
    EXPECT_TRUE(held(breakdown.now()).empty());
}

TEST(PeakBreakdownTest, startsAgainFromWhatIsHeld)
{
    PeakBreakdown breakdown;
    breakdown.add(event(Action::Alloc, 8, 1));
    breakdown.add(event(Action::Alloc, 100, 2));
    breakdown.add(event(Action::FreeRequested, 100, 2));
    breakdown.restart();
    EXPECT_EQ(breakdown.peakBytes(), 8);
    EXPECT_EQ(held(breakdown.atPeak()), (std::map<OwnerId, Bytes>{{1, 8}}));
}

} // namespace
} // namespace headroom::trace
