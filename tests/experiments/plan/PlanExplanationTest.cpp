// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/explanation/PlanExplanation.h"

#include "experiments/plan/PlanSentences.h"

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

// A card of 24 GiB with 1 GiB for the driver and a margin of 0.5 GiB.
PlannedChoice thatReserves(double gib, std::optional<double> inOtherOrder, FitVerdict::Kind kind)
{
    PlannedChoice choice = withChanges({kAll});
    choice.verdict.kind = kind;
    choice.verdict.usableBytes = 24 * kGiB;
    choice.verdict.contextBytes = 1 * kGiB;
    choice.verdict.marginBytes = kGiB / 2;
    choice.verdict.reservedBytes = static_cast<Bytes>(gib * double(kGiB));
    if (inOtherOrder)
        choice.verdict.reservedOtherBytes = static_cast<Bytes>(*inOtherOrder * double(kGiB));
    return choice;
}

TEST(PlanSentences, WhatDoesNotFitSaysWhatIsMissing)
{
    const PlannedChoice choice = thatReserves(29, {}, FitVerdict::Kind::DoesNotFit);
    EXPECT_EQ(whyItDoesNotFit(choice, {}, choice.changes),
        "With checkpointing all it does not fit: it needs 30.0 GiB, 6.00 GiB more than is usable.");
    EXPECT_EQ(
        whyItDoesNotFit(choice, {}, {}), "As it is it does not fit: it needs 30.0 GiB, 6.00 GiB more than is usable.");
}

TEST(PlanSentences, WhatIsTightSaysWhetherItIsTheMarginOrTheOrderOfAddresses)
{
    EXPECT_EQ(whyItDoesNotFit(thatReserves(22.75, {}, FitVerdict::Kind::Tight), {}, {kAll}),
        "With checkpointing all it is too tight: it needs 23.8 GiB, which leaves less than the margin of 0.500 GiB.");
    EXPECT_EQ(whyItDoesNotFit(thatReserves(20, 25, FitVerdict::Kind::Tight), {}, {kAll}),
        "With checkpointing all it is too tight: it needs 21.0 GiB, 2.00 GiB too few where segments lie in the other "
        "order.");
}

// A budget keeps ops of its blocks: as many blocks again are more of them.
TEST(PlanSentences, BlocksThatRunAgainAsAWholeAreNotCountedAgainstParts)
{
    PlannedChoice answer = thatReserves(20, {}, FitVerdict::Kind::Fits);
    PlannedChoice slower = thatReserves(15, {}, FitVerdict::Kind::Fits);
    answer.figures = {20 * kGiB, 20 * kGiB, 1.0};
    slower.figures = {15 * kGiB, 15 * kGiB, 1.2};
    protocol::RepeatResult inParts;
    inParts.engagement["checkpointing"] = {{"blocks_recomputed", 45}, {"ops_recomputed", 900}};
    protocol::RepeatResult whole;
    whole.engagement["checkpointing"] = {{"blocks_recomputed", 48}, {"ops_recomputed", 0}};
    EXPECT_THAT(whyNot(slower, whole, answer, inParts, {kAll}),
        testing::HasSubstr("a step recomputes 48 blocks as a whole instead of 45 in part"));
    EXPECT_THAT(whyNot(slower, inParts, answer, whole, {kAll}), testing::HasSubstr("recomputes 900 ops"));
}

TEST(PlanSentences, OnlyWhatIsDecidedIsProven)
{
    PlanFindings findings;
    EXPECT_FALSE(isProven(findings));
    findings.provenGap = 0.0;
    EXPECT_TRUE(isProven(findings));
    findings.end = PlanFindings::End::Cancelled;
    EXPECT_FALSE(isProven(findings));
    findings.end = PlanFindings::End::OutOfEffort;
    findings.provenGap = 0.2;
    EXPECT_FALSE(isProven(findings));
}

} // namespace
} // namespace headroom::experiments::plan_explanation_test
