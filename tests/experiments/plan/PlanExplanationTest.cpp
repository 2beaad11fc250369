// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/explanation/PlanExplanation.h"

#include <gmock/gmock.h>

namespace headroom::experiments::plan_explanation_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PlannedChoice withChanges(std::vector<SettingChange> changes)
{
    PlannedChoice choice;
    choice.changes = std::move(changes);
    return choice;
}

const SettingChange kCast{"techniques.casting", "off", "e4m3"};
const SettingChange kAll{"techniques.checkpointing", "none", "all"};
const SettingChange kSome{"techniques.checkpointing", "none", "blocks:0-30"};

TEST(PlanExplanation, ChangesBetweenCombinationsAreCountedFromTheFirst)
{
    EXPECT_THAT(changesBetween(withChanges({kCast, kAll}), withChanges({kCast, kAll})), IsEmpty());
    EXPECT_THAT(changesBetween(withChanges({kCast, kAll}), withChanges({kCast, kSome})),
        ElementsAre(SettingChange{"techniques.checkpointing", "all", "blocks:0-30"}));
    // What only the first one changes is as it was asked about.
    EXPECT_THAT(changesBetween(withChanges({kCast, kAll}), withChanges({})),
        ElementsAre(SettingChange{"techniques.casting", "e4m3", "off"},
            SettingChange{"techniques.checkpointing", "all", "none"}));
    EXPECT_THAT(changesBetween(withChanges({}), withChanges({kCast})), ElementsAre(kCast));
}

TEST(PlanExplanation, ReasonsThatThePlanHasAreNotLookedForAgain)
{
    PlanResult plan;
    plan.answer = withChanges({kAll});
    PlannedChoice neighbour = withChanges({kSome});
    neighbour.trial.configuration.model = "neighbour";
    plan.reasons.push_back({neighbour, "It is slower."});
    EXPECT_EQ(explanationOf(neighbour, plan, std::chrono::seconds(1), {}), "It is slower.");
}

TEST(PlanExplanation, WithoutAnAnswerThereIsNothingToCompareWith)
{
    EXPECT_EQ(explanationOf(withChanges({kAll}), PlanResult{}, std::chrono::seconds(1), {}), "");
}

} // namespace
} // namespace headroom::experiments::plan_explanation_test
