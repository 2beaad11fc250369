// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/tradeoff/TradeoffFigure.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace headroom::figures::tradeoff_figure_test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> legendTexts(const Figure& figure)
{
    std::vector<std::string> texts;
    for (const LegendEntry& entry : figure.legend)
        texts.push_back(entry.text);
    return texts;
}

const Mark& markOf(const Figure& figure, const std::string& label)
{
    for (const Mark& mark : figure.marks)
        if (mark.label == label)
            return mark;
    throw std::out_of_range("no mark " + label);
}

TEST(TradeoffFigureTest, eachTrialIsAMarkAtItsPeakAndSpeed)
{
    const Figure figure = tradeoffFigure(fourPolicies());
    ASSERT_EQ(figure.marks.size(), 4U);
    EXPECT_EQ(figure.marks[1].id, "id all");
    EXPECT_NEAR(figure.marks[1].x, 9.3, 1e-6);
    EXPECT_EQ(figure.marks[1].y, 1.36);
    EXPECT_EQ(figure.x.label, "Peak reserved (GiB)");
    EXPECT_EQ(figure.y.label, "Speed (steps/s)");
}

TEST(TradeoffFigureTest, predictionsAreToldApartInLookLegendHoverAndTable)
{
    TradeoffInput input = fourPolicies();
    input.trials[0].provenance = Provenance::Measured;
    const Figure figure = tradeoffFigure(input);
    EXPECT_EQ(figure.marks[0].look.provenance, Provenance::Measured);
    EXPECT_EQ(figure.marks[1].look.provenance, Provenance::Predicted);
    EXPECT_THAT(legendTexts(figure), ElementsAre("measured", "predicted", "Pareto front"));
    EXPECT_THAT(figure.marks[1].hover.lines, Contains("predicted, not measured"));
    EXPECT_EQ(figure.table.rows[0][2], "measured");
    EXPECT_EQ(figure.table.rows[1][2], "predicted");
}

TEST(TradeoffFigureTest, onlyMeasuredTrialsHaveErrorBars)
{
    TradeoffInput input = fourPolicies();
    for (TradeoffTrial& trial : input.trials)
        trial.interval = Interval95{1, 2};
    input.trials[0].provenance = Provenance::Measured;
    const Figure figure = tradeoffFigure(input);
    EXPECT_EQ(figure.marks[0].error, (ErrorBar{1, 2}));
    EXPECT_EQ(figure.marks[1].error, std::nullopt);
    EXPECT_LE(figure.y.low, 1);
    EXPECT_GE(figure.y.high, 2);
    EXPECT_THAT(legendTexts(figure), Contains("95 % interval"));
}

TEST(TradeoffFigureTest, theFrontIsAStepLine)
{
    TradeoffInput input = fourPolicies();
    input.trials.push_back(predicted("worse", 20, 1.4));
    const Figure figure = tradeoffFigure(input);
    ASSERT_EQ(figure.lines.size(), 1U);
    const auto& points = figure.lines[0].points;
    EXPECT_THAT(points, SizeIs(7));
    for (std::size_t i = 1; i < points.size(); ++i)
        EXPECT_TRUE(points[i].x == points[i - 1].x || points[i].y == points[i - 1].y);
    EXPECT_THAT(markOf(figure, "worse").hover.lines, Not(Contains("on the front")));
    EXPECT_THAT(markOf(figure, "none").hover.lines, Contains("on the front"));
}

TEST(TradeoffFigureTest, noFrontRunsThroughMeasuredAndPredictedTrialsOrSeveralGroups)
{
    TradeoffInput input = fourPolicies();
    for (TradeoffTrial trial : fourPolicies().trials) {
        trial.provenance = Provenance::Measured;
        input.trials.push_back(trial);
        trial.group = "cpu";
        input.trials.push_back(trial);
    }
    EXPECT_THAT(tradeoffFigure(input).lines, SizeIs(3));
}

TEST(TradeoffFigureTest, implausibleTrialsAreShownButNeitherOnTheFrontNorBest)
{
    TradeoffInput input = fourPolicies();
    input.trials[3].flags = {Flag::Implausible};
    const Figure figure = tradeoffFigure(input);
    EXPECT_THAT(markOf(figure, "every:4").flags, ElementsAre(Flag::Implausible));
    EXPECT_THAT(legendTexts(figure), Contains("implausible"));
    EXPECT_THAT(figure.lines[0].points, SizeIs(5));
    EXPECT_THAT(figure.notes, Contains(HasSubstr("every:2")));
}

TEST(TradeoffFigureTest, everyFlagHasALegendEntryAndAHoverLine)
{
    TradeoffInput input = fourPolicies();
    input.trials[0].flags = {Flag::NotSteady, Flag::NoEffect};
    input.trials[1].flags = {Flag::Pressured};
    const Figure figure = tradeoffFigure(input);
    EXPECT_THAT(legendTexts(figure), ElementsAre("predicted", "Pareto front", "pressured", "not steady", "no effect"));
    EXPECT_THAT(figure.marks[0].hover.lines, Contains(HasSubstr("not steady:")));
}

TEST(TradeoffFigureTest, theBestWithinTheBudgetIsNamedAndItsLabelComesFirst)
{
    const Figure figure = tradeoffFigure(fourPolicies());
    ASSERT_THAT(figure.references, SizeIs(1));
    EXPECT_DOUBLE_EQ(figure.references[0].at, 24);
    EXPECT_EQ(figure.references[0].label, "budget (24.0 GiB)");
    EXPECT_THAT(
        figure.notes, ElementsAre("Best within budget (24.0 GiB): every:4, 22.2 GiB, 1.66 steps/s (predicted)"));
    EXPECT_EQ(markOf(figure, "every:4").wish, LabelWish::First);
    EXPECT_EQ(markOf(figure, "none").wish, LabelWish::High);
    EXPECT_THAT(figure.description, HasSubstr("every:4"));
}

TEST(TradeoffFigureTest, aBudgetThatNothingKeepsIsSaidToBeSo)
{
    TradeoffInput input = fourPolicies();
    input.budget->bytes = gib(8);
    EXPECT_THAT(tradeoffFigure(input).notes, ElementsAre("No trial fits within budget (8.00 GiB)."));
}

TEST(TradeoffFigureTest, aBudgetFarAwayIsANoteInsteadOfSqueezingThePlot)
{
    TradeoffInput input = fourPolicies();
    input.budget->bytes = gib(400);
    const Figure figure = tradeoffFigure(input);
    EXPECT_THAT(figure.references, IsEmpty());
    EXPECT_LT(figure.x.high, 40);
    EXPECT_THAT(figure.notes, Contains(HasSubstr("beyond the right edge")));
}

TEST(TradeoffFigureTest, trialsWithoutAPlaceAreInTheStripWithTheirReason)
{
    TradeoffInput input = fourPolicies();
    input.trials.push_back(outOfMemory("none, 13B", "in backward, 3.1 GiB missing"));
    input.trials.push_back(predicted("no speed", 5, 1));
    input.trials.back().perSecond.reset();
    input.trials.push_back(predicted("odd speed", 5, std::numeric_limits<double>::quiet_NaN()));
    const Figure figure = tradeoffFigure(input);
    EXPECT_THAT(figure.marks, SizeIs(4));
    ASSERT_THAT(figure.strip, SizeIs(3));
    EXPECT_EQ(figure.strip[0].reason, "out of memory: in backward, 3.1 GiB missing");
    EXPECT_EQ(figure.strip[1].reason, "completed without a speed");
    EXPECT_EQ(figure.strip[2].label, "odd speed");
    EXPECT_EQ(figure.stripTitle, "Not on the plot: 3 trials");
}

TEST(TradeoffFigureTest, theTableHasEveryTrialAndNoBlank)
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const TradeoffInput input = randomTradeoff(seed);
        const Figure figure = tradeoffFigure(input);
        ASSERT_EQ(figure.table.rows.size(), input.trials.size());
        EXPECT_EQ(figure.marks.size() + figure.strip.size(), input.trials.size());
        for (const auto& row : figure.table.rows) {
            EXPECT_EQ(row.size(), figure.table.header.size());
            EXPECT_THAT(row, Each(Not(IsEmpty())));
        }
    }
}

TEST(TradeoffFigureTest, marksAndErrorBarsAreWithinTheAxes)
{
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Figure figure = tradeoffFigure(randomTradeoff(seed));
        for (const Mark& mark : figure.marks) {
            for (const double fraction : {figure.x.fraction(mark.x), figure.y.fraction(mark.y)}) {
                EXPECT_GE(fraction, 0) << "seed " << seed;
                EXPECT_LE(fraction, 1) << "seed " << seed;
            }
            if (mark.error) {
                EXPECT_GE(figure.y.fraction(mark.error->low), 0) << "seed " << seed;
                EXPECT_LE(figure.y.fraction(mark.error->high), 1) << "seed " << seed;
            }
        }
    }
}

TEST(TradeoffFigureTest, ofManyTrialsOnlyTheFrontsHaveLabelsAndThatIsSaid)
{
    TradeoffInput input = fourPolicies();
    for (int i = 0; i < 20; ++i)
        input.trials.push_back(predicted("worse", 25, 1.3));
    const Figure figure = tradeoffFigure(input);
    EXPECT_EQ(figure.marks.back().wish, LabelWish::None);
    EXPECT_THAT(figure.aside, HasSubstr("on hover and in the table"));
}

TEST(TradeoffFigureTest, groupsDifferInShapeToo)
{
    TradeoffInput input = fourPolicies();
    input.trials[0].group = "cpu";
    const Figure figure = tradeoffFigure(input);
    EXPECT_NE(figure.marks[0].look.shape, figure.marks[1].look.shape);
    EXPECT_NE(figure.marks[0].look.series, figure.marks[1].look.series);
    EXPECT_THAT(legendTexts(figure), Contains("cpu, predicted"));
}

TEST(TradeoffFigureTest, peaksFarApartGetALogarithmicAxisThatSaysSo)
{
    TradeoffInput input = fourPolicies();
    input.trials.push_back(completed("tiny", 0.05, 400));
    const Figure figure = tradeoffFigure(input);
    EXPECT_EQ(figure.x.scale, Scale::Logarithmic);
    EXPECT_THAT(figure.x.label, HasSubstr("log scale"));
    EXPECT_EQ(figure.y.scale, Scale::Logarithmic);
}

TEST(TradeoffFigureTest, smallPeaksAreNotShownAsThousandthsOfAGiB)
{
    TradeoffInput input;
    input.trials = {completed("tiny", 0.004, 400)};
    EXPECT_EQ(tradeoffFigure(input).x.label, "Peak reserved (MiB)");
}

TEST(TradeoffFigureTest, nothingToPlotIsSaidInWords)
{
    EXPECT_EQ(tradeoffFigure({}).emptyText, "No trials yet: nothing to compare.");
    TradeoffInput input;
    input.trials = {outOfMemory("none", "in forward")};
    input.budget = Budget{gib(8), "usable memory"};
    const Figure figure = tradeoffFigure(input);
    EXPECT_EQ(figure.emptyText, "No trial completed.");
    EXPECT_THAT(figure.strip, SizeIs(1));
    EXPECT_THAT(figure.notes, ElementsAre("Limit: usable memory (8.00 GiB)"));
    EXPECT_THAT(tradeoffFigure(fourPolicies()).emptyText, IsEmpty());
}

} // namespace
} // namespace headroom::figures::tradeoff_figure_test
