// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TradeoffPanel.h"

#include "experiments/report/FigureTerms.h"
#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report::tradeoff_panel_test {
namespace {

using testing::ElementsAre;

ReportContent contentOf(const std::vector<TrialSketch>& sketches)
{
    ReportContent content;
    content.trials = sketched(sketches);
    return content;
}

const std::vector<TrialSketch> kThree{
    {}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}, {.splitFfn = "2", .peakGib = 0.7}};

TEST(TradeoffPanelTest, aTechniqueGivesColoursByItsSettings)
{
    const ReportContent content = contentOf(kThree);
    const Comparison comparison(content.trials);
    const auto input = tradeoffInput(content, comparison, comparison.panels().front(), {.colourBy = "split_ffn"});
    EXPECT_EQ(input.colourBy, "split_ffn");
    EXPECT_EQ(input.trials[1].colourKey, "4");
    EXPECT_EQ(input.trials[1].shapeKey, "");
    EXPECT_FALSE(input.shapeBy);
    EXPECT_THAT(varyingTechniques(trialsOf(comparison, comparison.panels().front())), ElementsAre("split_ffn"));
}

TEST(TradeoffPanelTest, samplesPerSecondComeWithTheirInterval)
{
    const ReportContent content =
        contentOf({{.device = "cpu", .scatter = 0.1}, {.splitFfn = "4", .device = "cpu", .scatter = 0.1}});
    const Comparison comparison(content.trials);
    const auto input = tradeoffInput(content, comparison, comparison.panels().front(), {.unit = SpeedUnit::Samples});
    const ReportTrial& trial = content.trials.front();
    EXPECT_EQ(input.trials[0].perSecond, trial.result.speed.samplesPerSecond);
    ASSERT_TRUE(input.trials[0].interval);
    EXPECT_NEAR(input.trials[0].interval->low / *input.trials[0].perSecond,
        trial.stepsPerSecond95()->low / *trial.stepsPerSecond(), 1e-9);
}

TEST(TradeoffPanelTest, memoryAndBudgetAreAsChosen)
{
    const ReportContent content = contentOf(kThree);
    const Comparison comparison(content.trials);
    const auto members = comparison.panels().front();
    EXPECT_EQ(tradeoffInput(content, comparison, members).memory, figures::MemoryKind::Reserved);
    const auto input = tradeoffInput(content, comparison, members,
        {.memory = figures::MemoryKind::Allocated, .budget = figures::Budget{kGiB, "budget"}});
    EXPECT_EQ(input.memory, figures::MemoryKind::Allocated);
    EXPECT_EQ(input.budget->bytes, kGiB);
    EXPECT_THAT(memoryKindsOf(trialsOf(comparison, members)),
        ElementsAre(figures::MemoryKind::Allocated, figures::MemoryKind::Reserved));
}

TEST(TradeoffPanelTest, usableMemoryIsNamedWhereAllTrialsShareIt)
{
    ReportContent content = contentOf(kThree);
    const Comparison comparison(content.trials);
    const auto trials = trialsOf(comparison, comparison.panels().front());
    EXPECT_FALSE(usableMemory(content, trials));
    content.usableBytes[content.trials.front().device()] = 14 * kGiB;
    const auto usable = usableMemory(content, trials);
    ASSERT_TRUE(usable);
    EXPECT_EQ(usable->bytes, 14 * kGiB);
    EXPECT_EQ(usable->label, "usable memory of t4");
}

} // namespace
} // namespace headroom::report::tradeoff_panel_test
