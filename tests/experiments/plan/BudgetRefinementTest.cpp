// SPDX-License-Identifier: Apache-2.0
//
// Budgets after a search, in a space whose figures are known in closed form.
#include "experiments/plan/BudgetRefinement.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace headroom::experiments::budget_refinement_test {
namespace {

constexpr Bytes kMiB = 1LL << 20;
constexpr std::size_t kNone = 0;
constexpr std::size_t kAll = 1;
constexpr std::size_t kHalf = 2;

/// Policies none, all and a half of the blocks; weights kept as they are or moved from the host, which takes a tenth of
/// a second and leaves room for more activations.
class Space {
public:
    Space()
    {
        PlanAxis policies{.key = "checkpointing"};
        policies.settings = {
            {{}, 0, "none", 0}, {{{"a", "none", "all"}}, 1, "all", 0}, {{{"a", "none", "half"}}, 2, "last", 0.5}};
        PlanAxis weights{.key = "offload"};
        weights.settings = {{{}, 0, "off", 0}, {{{"b", "off", "on"}}, 1, "on", 0}};
        for (PlanAxis* axis : {&policies, &weights}) {
            axis->memory = SettingOrder(axis->settings.size());
            axis->time = SettingOrder(axis->settings.size());
        }
        axes.axes = {policies, weights};
    }

    PlanPoint withBudget(PlanPoint point, Bytes size)
    {
        sizes.push_back(size);
        point[0] = axes.axes[0].settings.size();
        axes.axes[0].settings.push_back({{{"a", "none", "budget"}}, 3, "budget", static_cast<double>(size)});
        return point;
    }

    /// Weights 2,000 MiB, activations up to 4,000 MiB; what is recomputed takes up to a second more.
    std::optional<PlanFigures> figures(const PlanPoint& point)
    {
        predicted.push_back(point);
        const Bytes weights = point[1] == 1 ? 500 * kMiB : 2000 * kMiB;
        double kept = point[0] == kNone ? 1 : point[0] == kHalf ? 0.5 : 0.0;
        if (point[0] > kHalf) {
            const auto size = static_cast<Bytes>(axes.axes[0].settings[point[0]].extent);
            if (size < weights + 400 * kMiB)
                return std::nullopt; // whatever is recomputed
            kept = std::min(1.0, static_cast<double>(size - weights - 400 * kMiB) / static_cast<double>(3600 * kMiB));
        }
        const Bytes allocated =
            weights + 400 * kMiB + static_cast<Bytes>(std::llround(kept * static_cast<double>(3600 * kMiB)));
        const Bytes waste = point[0] > kHalf ? budgetWaste : 100 * kMiB;
        return PlanFigures{allocated + waste, allocated, 2 - kept + (point[1] == 1 ? 0.1 : 0.0)};
    }

    BudgetRefinement refinement()
    {
        return {axes,
            {0, [this](const PlanPoint& point, Bytes size) { return withBudget(point, size); },
                [this](const PlanPoint& point) { return canMove || point[1] == 0; }},
            [this](const std::vector<PlanPoint>& points) {
                std::vector<std::optional<PlanFigures>> all;
                for (const PlanPoint& point : points)
                    all.push_back(figures(point));
                return all;
            }};
    }

    PlanFindings findingsOf(const std::vector<PlanPoint>& points, const PlanQuestion& question)
    {
        PlanFindings findings;
        for (const PlanPoint& point : points)
            findings.predicted[point] = *figures(point);
        findings.front = frontOf(findings.predicted, axes, question.capacityBytes);
        if (!findings.front.empty())
            findings.answer = findings.front.front();
        findings.leastMemory = findings.answer;
        findings.provenGap = 0.5;
        predicted.clear();
        return findings;
    }

    PlanAxes axes;
    Bytes budgetWaste = 100 * kMiB;
    bool canMove = true;
    std::vector<Bytes> sizes;
    std::vector<PlanPoint> predicted;
};

const auto kAlways = [] { return true; };
const PlanQuestion kQuestion{3500 * kMiB, 0.05, 400};

TEST(BudgetRefinementTest, whatMemoryIsLeftIsUsed)
{
    Space space;
    space.canMove = false;
    PlanFindings findings = space.findingsOf({{kNone, 0}, {kAll, 0}}, kQuestion);
    ASSERT_EQ(findings.answer, (PlanPoint{kAll, 0}));
    space.refinement().run(findings, kQuestion, 2, kAlways);
    const PlanFigures& best = findings.predicted.at(*findings.answer);
    EXPECT_GT((*findings.answer)[0], kHalf);
    EXPECT_LE(best.bytes, kQuestion.capacityBytes);
    EXPECT_GT(best.bytes, kQuestion.capacityBytes * 97 / 100);
    EXPECT_EQ(findings.answer, findings.front.front());
    for (const Bytes size : space.sizes)
        EXPECT_EQ(size % BudgetRefinement::kSizeStep, 0);
    // The search's bound, 1 s, is now seen from the faster answer.
    EXPECT_NEAR(*findings.provenGap, 1 - 1.0 / best.seconds, 1e-9);
}

TEST(BudgetRefinementTest, aBudgetThatNeedsMoreThanThePolicyIsMended)
{
    Space space;
    space.canMove = false;
    space.budgetWaste = 400 * kMiB;
    PlanFindings findings = space.findingsOf({{kNone, 0}, {kAll, 0}}, kQuestion);
    space.refinement().run(findings, kQuestion, 1, kAlways);
    ASSERT_EQ(space.sizes.size(), 2U);
    EXPECT_GT(findings.predicted.at({3, 0}).bytes, kQuestion.capacityBytes);
    EXPECT_EQ(*findings.answer, (PlanPoint{4, 0}));
    EXPECT_LE(findings.predicted.at({4, 0}).bytes, kQuestion.capacityBytes);
}

TEST(BudgetRefinementTest, withoutTimeOneBudgetIsPredictedForEach)
{
    Space space;
    space.budgetWaste = 400 * kMiB;
    PlanFindings findings = space.findingsOf({{kNone, 0}, {kAll, 0}}, kQuestion);
    space.refinement().run(findings, kQuestion, 1, [] { return false; });
    EXPECT_EQ(space.sizes.size(), 1U);
    EXPECT_EQ(*findings.answer, (PlanPoint{kAll, 0})) << "a budget that does not fit is no answer";
}

// With policies that keep all or nothing, moving weights takes a tenth of a second for nothing; a budget keeps more.
TEST(BudgetRefinementTest, aCombinationThatWasSlowerWithPoliciesIsFound)
{
    Space space;
    PlanFindings findings = space.findingsOf({{kNone, 0}, {kAll, 0}}, kQuestion);
    space.refinement().run(findings, kQuestion, 1, kAlways);
    EXPECT_EQ((*findings.answer)[1], 1U);
    EXPECT_LT(findings.predicted.at(*findings.answer).seconds, 1.5);
}

// Of what a search has found too large with all kept, nothing is known with all recomputed.
TEST(BudgetRefinementTest, aCombinationThatWasTooLargeIsFound)
{
    Space space;
    PlanFindings findings = space.findingsOf({{kNone, 0}, {kAll, 0}, {kNone, 1}}, kQuestion);
    space.refinement().run(findings, kQuestion, 1, kAlways);
    EXPECT_EQ((*findings.answer)[1], 1U);
}

TEST(BudgetRefinementTest, withoutPredictionsLeftNothingIsPredicted)
{
    Space space;
    PlanFindings findings = space.findingsOf({{kNone, 0}, {kAll, 0}}, kQuestion);
    findings.predictions = kQuestion.mostPredictions;
    space.refinement().run(findings, kQuestion, 2, kAlways);
    EXPECT_TRUE(space.predicted.empty());
}

TEST(BudgetRefinementTest, anAnswerWithoutCheckpointingStays)
{
    Space space;
    const PlanQuestion question{9000 * kMiB, 0.05, 400};
    PlanFindings findings = space.findingsOf({{kNone, 0}, {kAll, 0}}, question);
    space.refinement().run(findings, question, 2, kAlways);
    EXPECT_EQ(*findings.answer, (PlanPoint{kNone, 0}));
    EXPECT_TRUE(space.predicted.empty());
}

TEST(BudgetRefinementTest, whatNeedsLeastIsNearlyAsFastAsTheNewAnswer)
{
    Space space;
    space.canMove = false;
    PlanFindings findings = space.findingsOf({{kNone, 0}, {kAll, 0}}, kQuestion);
    space.refinement().run(findings, kQuestion, 2, kAlways);
    const double most = findings.predicted.at(*findings.answer).seconds * (1 + kQuestion.maxSlowdown);
    EXPECT_LE(findings.predicted.at(*findings.leastMemory).seconds, most);
}

} // namespace
} // namespace headroom::experiments::budget_refinement_test
