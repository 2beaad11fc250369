// SPDX-License-Identifier: Apache-2.0
#include "core/planning/ChainSolver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace headroom::planning {
namespace {

class Draw {
public:
    explicit Draw(unsigned seed)
        : m_random(seed)
    {
    }

    std::int64_t upTo(std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(m_random); }

private:
    std::mt19937 m_random;
};

BlockChoice drawnChoice(Draw& draw)
{
    return {.heldBytes = draw.upTo(40),
        .forwardBytes = draw.upTo(50),
        .backwardBytes = draw.upTo(60),
        .seconds = 0.001 * static_cast<double>(1 + draw.upTo(30))};
}

// Bases as in a step with growing gradients, or none.
BlockChain drawnChain(Draw& draw)
{
    BlockChain chain;
    const std::int64_t blocks = 1 + draw.upTo(5);
    const Bytes gradients = draw.upTo(2) * draw.upTo(15);
    for (std::int64_t i = 0; i < blocks; ++i) {
        ChainBlock block{.choices = {}, .forwardBase = 100, .backwardBase = 100 + gradients * (blocks - 1 - i)};
        const std::int64_t choices = 1 + draw.upTo(3);
        for (std::int64_t choice = 0; choice < choices; ++choice)
            block.choices.push_back(drawnChoice(draw));
        chain.blocks.push_back(std::move(block));
    }
    chain.turnBase = 100 + draw.upTo(40);
    chain.restBytes = 100 + draw.upTo(60);
    return chain;
}

// Calls `visit` with every combination of choices.
template <typename Visit> void forEachCombination(const BlockChain& chain, const Visit& visit)
{
    ChainChoices choices(chain.blocks.size());
    while (true) {
        visit(choices);
        std::size_t block = 0;
        while (block < choices.size() && ++choices[block] == chain.blocks[block].choices.size())
            choices[block++] = 0;
        if (block == choices.size())
            return;
    }
}

std::optional<double> leastSecondsByTrial(const BlockChain& chain, Bytes budget)
{
    std::optional<double> least;
    forEachCombination(chain, [&](const ChainChoices& choices) {
        if (peakBytesOf(chain, choices) <= budget)
            least = std::min(least.value_or(1e9), secondsOf(chain, choices));
    });
    return least;
}

Bytes leastPeakByTrial(const BlockChain& chain)
{
    Bytes least = peakBytesOf(chain, ChainChoices(chain.blocks.size()));
    forEachCombination(
        chain, [&](const ChainChoices& choices) { least = std::min(least, peakBytesOf(chain, choices)); });
    return least;
}

// Blocks of two kinds with four choices each: kept, some results kept, recomputed, and one in between.
BlockChain deepChain(std::size_t blocks)
{
    BlockChain chain;
    for (std::size_t i = 0; i < blocks; ++i) {
        const Bytes scale = (i < blocks / 3 ? 3 : 2) * 1'000'003;
        const double time = i < blocks / 3 ? 0.0123 : 0.0077;
        chain.blocks.push_back(
            {.choices = {{scale * 40, scale * 41, scale * 3, time}, {scale * 17, scale * 33, scale * 30, time * 1.08},
                 {scale * 9, scale * 33, scale * 36, time * 1.19}, {scale * 1, scale * 33, scale * 42, time * 1.33}},
                .forwardBase = 5'000'000'000,
                .backwardBase = 5'000'000'000 + static_cast<Bytes>(blocks - 1 - i) * 30'000'000});
    }
    chain.turnBase = 5'100'000'000;
    chain.restBytes = 6'000'000'000;
    return chain;
}

TEST(ChainSolver, FindsWhatTryingEverythingFinds)
{
    Draw draw(17);
    int feasible = 0;
    for (int chainNumber = 0; chainNumber < 600; ++chainNumber) {
        const BlockChain chain = drawnChain(draw);
        const Bytes budget = 110 + draw.upTo(250);
        const auto expected = leastSecondsByTrial(chain, budget);
        const auto plan = leastSeconds(chain, budget);
        ASSERT_EQ(plan.has_value(), expected.has_value()) << "chain " << chainNumber;
        if (!plan)
            continue;
        ++feasible;
        ASSERT_NEAR(plan->seconds, *expected, 1e-12) << "chain " << chainNumber;
        ASSERT_NEAR(plan->seconds, secondsOf(chain, plan->choices), 1e-12);
        ASSERT_EQ(plan->peakBytes, peakBytesOf(chain, plan->choices));
        ASSERT_LE(plan->peakBytes, budget);
        ASSERT_TRUE(plan->isOptimal());
    }
    EXPECT_GT(feasible, 150);
    EXPECT_LT(feasible, 590);
}

TEST(ChainSolver, FindsTheLeastPeakThatTryingEverythingFinds)
{
    Draw draw(4);
    for (int chainNumber = 0; chainNumber < 300; ++chainNumber) {
        const BlockChain chain = drawnChain(draw);
        const ChainPlan plan = leastPeak(chain);
        ASSERT_EQ(plan.peakBytes, leastPeakByTrial(chain)) << "chain " << chainNumber;
        ASSERT_FALSE(leastSeconds(chain, plan.peakBytes - 1));
    }
}

// A search that may keep one partial plan only is still within the budget, and its bound holds.
TEST(ChainSolver, SaysHowFarALimitedSearchMayBeFromTheBest)
{
    Draw draw(9);
    for (int chainNumber = 0; chainNumber < 300; ++chainNumber) {
        const BlockChain chain = drawnChain(draw);
        const Bytes budget = leastPeakByTrial(chain) + draw.upTo(80);
        const auto plan = leastSeconds(chain, budget, {.mostPartialPlans = 1});
        ASSERT_TRUE(plan);
        const double best = *leastSecondsByTrial(chain, budget);
        ASSERT_LE(plan->provenSeconds, best + 1e-12);
        ASSERT_GE(plan->seconds, best - 1e-12);
        ASSERT_LE(plan->peakBytes, budget);
    }
}

TEST(ChainSolver, ProvesItsPlansOfSixtyBlocks)
{
    const BlockChain chain = deepChain(60);
    const Bytes least = leastPeak(chain).peakBytes;
    const Bytes most = peakBytesOf(chain, ChainChoices(60, 0));
    double before = secondsOf(chain, ChainChoices(60, 3)) + 1;
    for (int part = 0; part <= 10; ++part) {
        const auto plan = leastSeconds(chain, least + (most - least) / 10 * part);
        ASSERT_TRUE(plan);
        EXPECT_TRUE(plan->isOptimal()) << part << ": " << plan->seconds << " s, proven " << plan->provenSeconds;
        EXPECT_LE(plan->seconds, before);
        before = plan->seconds;
    }
    EXPECT_DOUBLE_EQ(leastSeconds(chain, most)->seconds, secondsOf(chain, ChainChoices(60, 0)));
}

// Activations shrink from the last block on while gradients grow: where the end of the backward is what is tight, an
// early block is recomputed; where the turn is, any does.
TEST(ChainSolver, RecomputesEarlyBlocksWhereGradientsFillTheBudget)
{
    BlockChain chain;
    for (int i = 0; i < 4; ++i)
        chain.blocks.push_back(
            {.choices = {{10, 10, 0, 1.0}, {1, 10, 2, 1.5}}, .forwardBase = 0, .backwardBase = Bytes{20} * (3 - i)});
    chain.turnBase = 0;
    const auto plan = leastSeconds(chain, 70 - 5);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->choices, (ChainChoices{1, 0, 0, 0})) << "70 bytes at the first block's backward otherwise";
}

} // namespace
} // namespace headroom::planning
