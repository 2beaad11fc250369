// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/SeveralExperiments.h"

#include "experiments/report/TradeoffPanel.h"
#include "experiments/report/TrialTable.h"
#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report::several_experiments_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

ReportContent experiment(std::int64_t number, const std::string& name, const std::vector<TrialSketch>& sketches)
{
    ReportContent content;
    content.number = number;
    content.experiment = name;
    content.startedAt = "2026-03-01 12:3" + std::to_string(number) + " UTC";
    content.task = "inference";
    content.trials = sketched(sketches);
    return content;
}

const std::vector<TrialSketch> kTwo{{}, {.splitFfn = "2", .peakGib = 0.7, .stepsPerSecond = 0.9}};

TEST(SeveralExperimentsTest, oneStaysAsItIs)
{
    const ReportContent content = together({experiment(3, "a", kTwo)});
    EXPECT_EQ(content.experiment, "a");
    EXPECT_THAT(content.trials, SizeIs(2));
    EXPECT_FALSE(content.trials.front().source);
}

TEST(SeveralExperimentsTest, theSameTrialOfTwoExperimentsHasTwoIds)
{
    const ReportContent content = together({experiment(3, "a", kTwo), experiment(5, "b", kTwo)});
    ASSERT_THAT(content.trials, SizeIs(4));
    EXPECT_EQ(content.experiment, "a, b");
    EXPECT_EQ(content.task, "inference");
    const ReportTrial& first = content.trials[0];
    const ReportTrial& again = content.trials[2];
    EXPECT_EQ(again.id(), first.id() + "@5");
    EXPECT_EQ(again.source->storedId, first.id());
    EXPECT_EQ(again.source->experiment, 5);
    EXPECT_EQ(again.source->title, "b");
}

TEST(SeveralExperimentsTest, experimentsOfOneNameAreToldApartByTheirTime)
{
    const ReportContent content = together({experiment(1, "a", kTwo), experiment(2, "a", kTwo)});
    EXPECT_EQ(content.trials[0].source->title, "a (12:31)");
    EXPECT_EQ(content.trials[2].source->title, "a (12:32)");
    ReportContent later = experiment(2, "a", kTwo);
    later.startedAt = "2026-03-08 12:31 UTC";
    EXPECT_EQ(together({experiment(1, "a", kTwo), later}).trials[2].source->title, "a (2026-03-08)");
    const ReportContent same = together({experiment(1, "a", kTwo), experiment(2, "a", kTwo), later});
    EXPECT_EQ(same.trials[0].source->title, "a (2026-03-01 12:31)");
    EXPECT_EQ(same.trials[4].source->title, "a (2026-03-08)");
    EXPECT_EQ(together({later, later}).trials[0].source->title, "a (number 2)");
}

TEST(SeveralExperimentsTest, theyShareAPictureAndAreComparedWithinThemselves)
{
    const ReportContent content = together({experiment(1, "a", kTwo),
        experiment(2, "b", {{.device = "sim:h200", .peakGib = 2}, {.splitFfn = "4", .device = "sim:h200"}})});
    const Comparison comparison(content.trials);
    ASSERT_THAT(comparison.groups(), SizeIs(2));
    EXPECT_EQ(comparison.groups()[1].title, "b");
    EXPECT_EQ(comparison.groups()[1].reference, &content.trials[2]);
    ASSERT_THAT(comparison.panels(), ElementsAre(ElementsAre(0, 1)));
    const auto input = tradeoffInput(
        content, comparison, comparison.panels().front(), {.colourBy = kByExperiment, .shapeBy = "split_ffn"});
    EXPECT_THAT(input.trials, SizeIs(4));
    EXPECT_EQ(input.trials[0].colourKey, "a");
    EXPECT_EQ(input.trials[3].colourKey, "b");
    EXPECT_EQ(input.trials[3].shapeKey, "4");
    const ReportTable table = trialTable(content, comparison, TrialColumns::Axes);
    EXPECT_EQ(table.columns[0].title, "experiment");
    EXPECT_EQ(table.rows[2].cells[0].text, "b");
    EXPECT_EQ(table.columns[1].title, "device");
}

TEST(SeveralExperimentsTest, aChosenReferenceIsThatOfItsCaseAlone)
{
    const ReportContent content = together({experiment(1, "a", kTwo), experiment(2, "b", kTwo)});
    const Comparison comparison(content.trials, {content.trials[1].id()});
    EXPECT_EQ(comparison.groups()[0].reference, &content.trials[1]);
    EXPECT_EQ(comparison.groups()[1].reference, &content.trials[2]);
    EXPECT_LT(*comparison.versus(content.trials[0]).savedBytes, 0) << "the one without techniques needs more";
}

} // namespace
} // namespace headroom::report::several_experiments_test
