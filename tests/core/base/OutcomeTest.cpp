// SPDX-License-Identifier: Apache-2.0
#include "core/base/Outcome.h"

#include "core/base/Wording.h"

#include <gmock/gmock.h>

namespace headroom {
namespace {

TEST(OutcomeTest, hasTheWordsOfTheContract)
{
    std::vector<std::string> words;
    for (const Outcome outcome : kOutcomes)
        words.emplace_back(toText(outcome));
    EXPECT_EQ(joined(words), "completed, out_of_memory, failed, timed_out, cancelled, skipped, not_run");
}

TEST(OutcomeTest, everyWordIsFoundAgainAndNoOther)
{
    for (const Outcome outcome : kOutcomes)
        EXPECT_EQ(findOutcome(toText(outcome)), outcome);
    for (const char* other : {"", "oom", "Completed", "out of memory"})
        EXPECT_EQ(findOutcome(other), std::nullopt) << other;
}

TEST(OutcomeTest, aRepeatEndsAsAnyButNotRun)
{
    std::vector<std::string> words;
    for (const Outcome outcome : kOutcomes)
        if (findRepeatOutcome(toText(outcome)))
            words.emplace_back(toText(outcome));
    EXPECT_EQ(joined(words), repeatOutcomes());
    EXPECT_EQ(findRepeatOutcome("not_run"), std::nullopt);
}

} // namespace
} // namespace headroom
