// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/GroupOffload.h"

#include <gtest/gtest.h>

#include <array>

namespace headroom::techniques {
namespace {

class LoadOrderTest : public testing::Test {
protected:
    using Pass = LoadOrder::Pass;

    // A round in which the units run in this order; for each of them which one comes next, -1: none.
    std::vector<int> round(const std::vector<int>& forward, const std::vector<int>& repetitions = {})
    {
        m_order.begin();
        std::vector<int> next;
        for (const int unit : forward)
            next.push_back(passed(unit, Pass::Forward));
        for (const int unit : repetitions)
            next.push_back(passed(unit, Pass::Repetition));
        return next;
    }

    int passed(int unit, Pass pass)
    {
        const OffloadUnit* next = m_order.passed({&m_units.at(static_cast<std::size_t>(unit)), pass}).unit;
        return next == nullptr ? -1 : static_cast<int>(next - m_units.data());
    }

    LoadOrder m_order;
    std::array<OffloadUnit, 6> m_units;
};

using Next = std::vector<int>;

TEST_F(LoadOrderTest, theFirstRoundIsWatchedAndThenKnown)
{
    EXPECT_EQ(round({2, 0, 1}), (Next{-1, -1, -1}));
    EXPECT_EQ(round({2, 0, 1}), (Next{0, 1, -1}));
    EXPECT_EQ(round({2, 0, 1}), (Next{0, 1, -1}));
}

TEST_F(LoadOrderTest, repetitionsFollowTheForward)
{
    round({0, 1, 2}, {2, 1, 0});
    EXPECT_EQ(round({0, 1, 2}, {2, 1, 0}), (Next{1, 2, 2, 1, 0, -1}));
}

TEST_F(LoadOrderTest, withoutGradientsNoRepetitionIsExpected)
{
    round({0, 1}, {1, 0});
    const torch::NoGradGuard noGradients;
    EXPECT_EQ(round({0, 1}), (Next{1, -1}));
}

TEST_F(LoadOrderTest, aUnitThatRunsTwiceIsFollowedByWhatFollowedItThere)
{
    round({0, 1, 0, 2});
    EXPECT_EQ(round({0, 1, 0, 2}), (Next{1, 0, 2, -1}));
}

TEST_F(LoadOrderTest, whatIsLeftOutOnceIsSkipped)
{
    round({0, 1, 2, 3});
    EXPECT_EQ(round({0, 2, 3}), (Next{1, 3, -1}));
    EXPECT_EQ(round({0, 1, 2, 3}), (Next{1, 2, 3, -1})) << "it is still known";
}

TEST_F(LoadOrderTest, whatTheFirstRoundLackedIsKnownAfterItsOwn)
{
    round({0, 2});
    EXPECT_EQ(round({0, 1, 2}), (Next{2, -1, -1}));
    EXPECT_EQ(round({0, 1, 2}), (Next{1, 2, -1}));
}

} // namespace
} // namespace headroom::techniques
