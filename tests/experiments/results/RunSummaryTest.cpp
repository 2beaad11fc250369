// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/RunSummary.h"

#include <gmock/gmock.h>

namespace headroom::experiments::run_summary_test {
namespace {

using testing::ElementsAre;

TrialResult flagged(const std::string& id, std::vector<TrialFlag> flags)
{
    TrialResult result;
    result.trialId = id;
    result.flags = std::move(flags);
    return result;
}

BudgetOutcome budget(BudgetResult result, AmbiguityPolicy policy = AmbiguityPolicy::Unusable)
{
    BudgetOutcome outcome;
    outcome.name = "b";
    outcome.onAmbiguity = policy;
    if (result == BudgetResult::NotApplicable)
        return outcome;
    outcome.trials = 1;
    BudgetVerdict verdict;
    verdict.result = result;
    outcome.verdicts.push_back(verdict);
    return outcome;
}

RunSummary summaryWith(std::vector<BudgetOutcome> budgets)
{
    RunSummary summary;
    summary.outcomes = {{Outcome::Completed, 2}, {Outcome::OutOfMemory, 1}, {Outcome::Skipped, 1}};
    summary.budgets = std::move(budgets);
    return summary;
}

TEST(RunSummaryTest, everyRaisedFlagIsListedWithItsTrialAndReason)
{
    const auto flags = raisedFlags({flagged("a", {{"not_steady", "repeat 0: it: drifts"}}), std::nullopt,
        flagged("b", {}), flagged("c", {{"no_effect", "same"}, {"implausible", "faster"}})});
    EXPECT_THAT(flags,
        ElementsAre(RaisedFlag{"a", "not_steady", "repeat 0: it: drifts"}, RaisedFlag{"c", "no_effect", "same"},
            RaisedFlag{"c", "implausible", "faster"}));
    RunSummary summary;
    summary.flags = flags;
    EXPECT_EQ(toJson(summary).at("flags").at(0).dump(),
        R"({"trial_id":"a","flag":"not_steady","reason":"repeat 0: it: drifts"})");
}

TEST(RunSummaryTest, onlyFlagsThatMakeAResultUnusableAreExitCodeFour)
{
    RunSummary summary;
    summary.flags = {{"a", "pressured", ""}, {"b", "no_effect", ""}};
    EXPECT_EQ(summary.exitCode(), 0);
    for (const char* flag : {"not_steady", "implausible"}) {
        summary.flags = {{"a", "pressured", ""}, {"b", flag, ""}};
        EXPECT_EQ(summary.exitCode(), 4) << flag;
    }
    summary.outcomes[Outcome::Failed] = 1;
    EXPECT_EQ(summary.exitCode(), 3) << "what failed comes first";
    summary.interrupted = true;
    EXPECT_EQ(summary.exitCode(), 130);
}

TEST(RunSummaryTest, outcomesAloneDoNotFail)
{
    EXPECT_EQ(summaryWith({}).exitCode(), 0);
    EXPECT_EQ(summaryWith({budget(BudgetResult::Held), budget(BudgetResult::NotApplicable)}).exitCode(), 0);
}

TEST(RunSummaryTest, aBudgetThatIsNotHeldDoes)
{
    EXPECT_EQ(summaryWith({budget(BudgetResult::Exceeded)}).exitCode(), 1);
    EXPECT_EQ(summaryWith({budget(BudgetResult::Undecided)}).exitCode(), 4);
    EXPECT_EQ(summaryWith({budget(BudgetResult::Ambiguous)}).exitCode(), 4);
    EXPECT_EQ(summaryWith({budget(BudgetResult::Ambiguous, AmbiguityPolicy::Pass)}).exitCode(), 0);
}

TEST(RunSummaryTest, whatIsWorseComesFirst)
{
    RunSummary all = summaryWith({budget(BudgetResult::Undecided), budget(BudgetResult::Exceeded)});
    EXPECT_EQ(all.exitCode(), 1);
    all.outcomes[Outcome::TimedOut] = 1;
    EXPECT_EQ(all.exitCode(), 3);
    all.interrupted = true;
    EXPECT_EQ(all.exitCode(), 130);
}

TEST(RunSummaryTest, withoutBudgetsTheyAreNull)
{
    EXPECT_TRUE(toJson(summaryWith({})).at("budgets").is_null());
    EXPECT_EQ(toJson(summaryWith({budget(BudgetResult::Held)})).at("budgets").at(0).at("result"), "held");
}

} // namespace
} // namespace headroom::experiments::run_summary_test
