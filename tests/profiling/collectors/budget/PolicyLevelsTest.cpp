// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/BudgetPlanner.h"

#include <gmock/gmock.h>

namespace headroom::collectors::policy_levels_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> levelsOf(const std::vector<SavableCall>& calls)
{
    std::vector<std::string> texts;
    for (const config::BlockPolicy& policy : policyLevels(calls))
        texts.push_back(toText(policy));
    return texts;
}

TEST(PolicyLevels, WhatSavesMostTimeForItsBytesIsKeptFirst)
{
    EXPECT_THAT(levelsOf({{.bytes = 100, .seconds = 1}, {.bytes = 10, .seconds = 1}, {.bytes = 100, .seconds = 5}}),
        ElementsAre("all", "ops:calls/1", "ops:calls/1-2", "ops", "none"));
}

TEST(PolicyLevels, EqualCallsGoTogether)
{
    EXPECT_THAT(levelsOf({{8, 4}, {8, 4}, {16, 8}, {8, 1}}), ElementsAre("all", "ops:calls/0-2", "ops", "none"));
    EXPECT_THAT(levelsOf({{8, 4}, {8, 4}}), ElementsAre("all", "ops", "none"));
    EXPECT_THAT(levelsOf({}), ElementsAre("all", "none"));
}

TEST(PolicyLevels, ManyDifferentCallsAreJoinedToFewLevels)
{
    std::vector<SavableCall> calls;
    for (int i = 0; i < 40; ++i)
        calls.push_back({.bytes = 1000, .seconds = 1.0 + 0.5 * i});
    const auto levels = levelsOf(calls);
    EXPECT_EQ(levels.size(), 8U);
    EXPECT_EQ(levels.front(), "all");
    EXPECT_EQ(levels.back(), "none");
    EXPECT_EQ(levels[levels.size() - 2], "ops");
}

} // namespace
} // namespace headroom::collectors::policy_levels_test
