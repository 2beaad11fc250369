// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/tradeoff/ParetoFront.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace headroom::figures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

bool beats(const Cost& a, const Cost& b)
{
    return a.memory <= b.memory && a.speed >= b.speed && (a.memory < b.memory || a.speed > b.speed);
}

std::vector<std::size_t> unbeaten(const std::vector<Cost>& costs)
{
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < costs.size(); ++i)
        if (std::none_of(costs.begin(), costs.end(), [&](const Cost& other) { return beats(other, costs[i]); }))
            result.push_back(i);
    return result;
}

std::vector<Cost> randomCosts(Random& random)
{
    std::vector<Cost> costs;
    for (std::size_t count = random.below(30); count > 0; --count)
        costs.push_back({static_cast<double>(random.below(12)), static_cast<double>(random.below(12))});
    return costs;
}

TEST(ParetoFrontTest, isWhatNothingBeats)
{
    Random random(3);
    for (int i = 0; i < 3'000; ++i) {
        const auto costs = randomCosts(random);
        auto front = paretoFront(costs);
        std::sort(front.begin(), front.end());
        ASSERT_EQ(front, unbeaten(costs));
    }
}

TEST(ParetoFrontTest, isInOrderOfMemory)
{
    EXPECT_THAT(
        paretoFront(std::vector<Cost>{{26.7, 1.68}, {9.3, 1.36}, {17.7, 1.54}, {20, 1.5}}), ElementsAre(1, 2, 0));
}

TEST(ParetoFrontTest, equalOnesAreAllOnIt)
{
    EXPECT_THAT(paretoFront(std::vector<Cost>{{5, 1}, {5, 1}, {5, 0.9}}), ElementsAre(0, 1));
}

TEST(ParetoFrontTest, ofNothingIsEmpty)
{
    EXPECT_THAT(paretoFront({}), IsEmpty());
}

TEST(ParetoFrontTest, theFastestWithinABudgetMayTouchIt)
{
    const std::vector<Cost> costs{{9, 1.3}, {12, 1.5}, {12.1, 1.9}};
    EXPECT_THAT(fastestWithin(costs, 12), Optional(1U));
    EXPECT_EQ(fastestWithin(costs, 8), std::nullopt);
}

TEST(ParetoFrontTest, ofEquallyFastOnesTheSmallestIsBest)
{
    EXPECT_THAT(fastestWithin(std::vector<Cost>{{9, 1.3}, {7, 1.3}, {8, 1.3}}, 12), Optional(1U));
}

} // namespace
} // namespace headroom::figures
