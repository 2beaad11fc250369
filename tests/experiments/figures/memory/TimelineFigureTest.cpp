// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/TimelineFigure.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace headroom::figures {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(TimelineFigureTest, thePeakIsMarkedWithValueTimeAndPhase)
{
    const Figure figure = timelineFigure(oneStep());
    ASSERT_THAT(figure.marks, SizeIs(1));
    EXPECT_EQ(figure.marks[0].label, "peak allocated 20.0 GiB at 40.0 ms, backward");
    EXPECT_DOUBLE_EQ(figure.marks[0].x, 40);
    EXPECT_DOUBLE_EQ(figure.marks[0].y, 20);
    EXPECT_EQ(figure.marks[0].id, "trial");
}

TEST(TimelineFigureTest, countersAreStepLinesToTheEnd)
{
    const Figure figure = timelineFigure(oneStep());
    ASSERT_THAT(figure.lines, SizeIs(2));
    const auto& points = figure.lines[0].points;
    EXPECT_EQ(points.front(), (Point{0, 0}));
    EXPECT_EQ(points.back(), (Point{100, 6}));
    for (std::size_t i = 1; i < points.size(); ++i)
        EXPECT_TRUE(points[i].x == points[i - 1].x || points[i].y == points[i - 1].y);
    EXPECT_EQ(figure.bands[0].points[2], (BandPoint{40, 18, 20}));
}

TEST(TimelineFigureTest, nestedPhasesLieOneLevelFurtherIn)
{
    const Figure figure = timelineFigure(oneStep());
    ASSERT_THAT(figure.spans, SizeIs(5));
    std::vector<std::string> levels;
    for (const Span& span : figure.spans)
        levels.push_back(span.name + " " + std::to_string(span.level));
    EXPECT_THAT(levels, ElementsAre("load 0", "step 0", "forward 1", "backward 1", "ema 1"));
}

TEST(TimelineFigureTest, phasesOfOneNameHaveOneColour)
{
    TimelineInput input = oneStep();
    input.phases.push_back({"forward", 1, 100 * kMs, 120 * kMs});
    const Figure figure = timelineFigure(input);
    EXPECT_EQ(figure.spans.back().series, figure.spans[2].series);
    EXPECT_NE(figure.spans.back().series, figure.spans[3].series);
}

TEST(TimelineFigureTest, theTableHasEveryPhaseWithTheMostHeldDuringIt)
{
    const Figure figure = timelineFigure(oneStep());
    ASSERT_THAT(figure.table.rows, SizeIs(7));
    EXPECT_THAT(figure.table.rows[0], ElementsAre("peak allocated", "40.0 ms", "backward", "20.000"));
    EXPECT_THAT(figure.table.rows[2], ElementsAre("load", "0 µs", "10.0 ms", "0.000"));
    EXPECT_THAT(figure.table.rows[4], ElementsAre("forward, step 0", "10.0 ms", "39.0 ms", "4.000"));
    EXPECT_THAT(figure.table.rows[6], ElementsAre("ema, step 0", "99.0 ms", "100 ms", "6.000"));
}

TEST(TimelineFigureTest, longSeriesAreFoldedAndKeepTheirPeak)
{
    TimelineInput input = oneStep();
    auto& bins = input.series[0].bins;
    bins.clear();
    for (std::int64_t i = 0; i < 100'000; ++i)
        bins.push_back({i * 1'000, kGiB, i == 77'777 ? gib(30) : gib(2)});
    const Figure figure = timelineFigure(input);
    EXPECT_LE(figure.bands[0].points.size(), 1'001U);
    const auto& points = figure.lines[0].points;
    EXPECT_DOUBLE_EQ(std::max_element(points.begin(), points.end(), [](auto& a, auto& b) { return a.y < b.y; })->y, 30);
    EXPECT_NEAR(figure.marks[0].x, 77.777, 1e-9);
}

TEST(TimelineFigureTest, theTimeAxisTakesTheUnitThatFits)
{
    EXPECT_EQ(timelineFigure(oneStep()).x.label, "Time (ms)");
    TimelineInput input = oneStep();
    input.endNs = 5'000 * kMs;
    const Figure figure = timelineFigure(input);
    EXPECT_EQ(figure.x.label, "Time (s)");
    EXPECT_DOUBLE_EQ(figure.x.high, 5);
    EXPECT_DOUBLE_EQ(figure.marks[0].x, 0.04);
}

TEST(TimelineFigureTest, simulatedMemoryIsCalledPredicted)
{
    TimelineInput input = oneStep();
    input.provenance = Provenance::Predicted;
    EXPECT_EQ(timelineFigure(input).legend[0].text, "allocated, predicted");
}

TEST(TimelineFigureTest, aSpreadIsExplainedWhereThereIsOne)
{
    EXPECT_THAT(timelineFigure(oneStep()).legend, SizeIs(3));
    EXPECT_EQ(timelineFigure(oneStep()).legend[2].text, "least to most at that time");
    TimelineInput input = oneStep();
    input.series.erase(input.series.begin());
    EXPECT_THAT(timelineFigure(input).legend, SizeIs(1));
}

TEST(TimelineFigureTest, theBudgetIsALineOrANote)
{
    TimelineInput input = oneStep();
    input.budget = Budget{gib(24), "budget"};
    ASSERT_THAT(timelineFigure(input).references, SizeIs(1));
    EXPECT_EQ(timelineFigure(input).references[0].direction, Direction::Horizontal);
    input.budget->bytes = gib(80);
    EXPECT_THAT(timelineFigure(input).references, IsEmpty());
    EXPECT_THAT(timelineFigure(input).notes, ElementsAre(HasSubstr("beyond the upper edge")));
}

TEST(TimelineFigureTest, noMemoryIsSaidInWords)
{
    EXPECT_EQ(timelineFigure({}).emptyText, "No memory was recorded over time.");
    TimelineInput input = oneStep();
    input.series = {{"allocated", {}}};
    EXPECT_EQ(timelineFigure(input).emptyText, "No memory was recorded over time.");
    EXPECT_THAT(timelineFigure(input).table.rows, SizeIs(5));
}

TimelineInput windowOfAStep(std::int64_t beginMs, std::int64_t endMs)
{
    TimelineInput input = oneStep();
    input.series[0].peak = MemoryPeak{gib(20), 40 * kMs + 1};
    input.series[0].bins = {{beginMs * kMs, gib(4), gib(4)}};
    input.series[1].bins.clear();
    input.window = TimeWindow{beginMs * kMs, endMs * kMs};
    return input;
}

TEST(TimelineFigureTest, aWindowHasItsOwnTimeAxisAndTheMemoryAxisOfTheWholeTrace)
{
    const Figure figure = timelineFigure(windowOfAStep(20, 30));
    EXPECT_DOUBLE_EQ(figure.x.low, 20);
    EXPECT_DOUBLE_EQ(figure.x.high, 30);
    EXPECT_EQ(figure.y, timelineFigure(windowOfAStep(20, 90)).y);
    EXPECT_GE(figure.y.high, 20);
    EXPECT_EQ(figure.lines[0].points.back(), (Point{30, 4}));
    EXPECT_THAT(figure.description, HasSubstr("from 20.0 ms to 30.0 ms of the trace"));
}

TEST(TimelineFigureTest, aPeakOutsideOfTheWindowKeepsItsRowButHasNoMark)
{
    const Figure figure = timelineFigure(windowOfAStep(20, 30));
    EXPECT_THAT(figure.marks, IsEmpty());
    EXPECT_THAT(figure.table.rows[0], ElementsAre("peak allocated", "40.0 ms", "backward", "20.000"));
    EXPECT_THAT(timelineFigure(windowOfAStep(30, 50)).marks, SizeIs(1));
}

TEST(TimelineFigureTest, phasesAreCutAtTheWindowAndKeepLevelAndColour)
{
    const Figure whole = timelineFigure(oneStep());
    const Figure figure = timelineFigure(windowOfAStep(20, 50));
    ASSERT_THAT(figure.spans, SizeIs(3));
    EXPECT_EQ(figure.spans[2].name, "backward");
    EXPECT_DOUBLE_EQ(figure.spans[1].from, 20);
    EXPECT_DOUBLE_EQ(figure.spans[2].to, 50);
    EXPECT_EQ(figure.spans[2].level, whole.spans[3].level);
    EXPECT_EQ(figure.spans[2].series, whole.spans[3].series);
    EXPECT_THAT(figure.table.rows, Not(Contains(Contains("load"))));
}

TEST(TimelineFigureTest, phasesTooNarrowToBeSeenAreOneUntilTheyAreZoomedInto)
{
    TimelineInput input = oneStep();
    input.phases.clear();
    input.phasePeaks.clear();
    for (int i = 0; i < 50'000; ++i) {
        input.phases.push_back({i % 2 == 0 ? "forward" : "backward", i / 2, i * 2'000, (i + 1) * 2'000});
        input.phasePeaks.push_back(gib(i == 33 ? 9 : 1));
    }
    input.window = TimeWindow{0, 100 * kMs};
    const Figure whole = timelineFigure(input);
    EXPECT_THAT(whole.spans, SizeIs(1'000));
    EXPECT_DOUBLE_EQ(whole.spans.front().from, 0);
    EXPECT_DOUBLE_EQ(whole.spans.front().to, 0.1);
    EXPECT_DOUBLE_EQ(whole.spans.back().to, 100);
    EXPECT_EQ(whole.spans.front().hover.title, "forward, step 0 and 49 phases more");
    ASSERT_THAT(whole.table.rows, SizeIs(1'002));
    EXPECT_EQ(whole.table.rows[2].back(), "9.000");
    EXPECT_EQ(whole.table.rows[3].back(), "1.000");
    input.window = TimeWindow{50'000, 70'000};
    const Figure window = timelineFigure(input);
    EXPECT_THAT(window.spans, SizeIs(10));
    EXPECT_EQ(window.spans.front().hover.title, "backward, step 12");
    input.window.reset();
    EXPECT_THAT(timelineFigure(input).table.rows, SizeIs(50'002)); // a report's reader cannot zoom
}

TEST(TimelineFigureTest, aNarrowWindowFarFromTheStartCountsFromARoundTimeBeforeIt)
{
    TimelineInput input = oneStep();
    input.window = TimeWindow{2'345'678'000, 2'345'679'000};
    input.series[0].peak = MemoryPeak{gib(1), 2'345'678'250};
    const Figure figure = timelineFigure(input);
    EXPECT_EQ(figure.x.label, "Time after 2.345 s (µs)");
    EXPECT_DOUBLE_EQ(figure.x.low, 678);
    EXPECT_DOUBLE_EQ(figure.marks[0].x, 678.25);
    std::vector<std::string> ticks;
    for (const Tick& tick : figure.x.ticks)
        ticks.push_back(tick.text);
    EXPECT_EQ(std::adjacent_find(ticks.begin(), ticks.end()), ticks.end());
}

TEST(TimelineFigureTest, givenPeaksOfPhasesStandInTheTable)
{
    TimelineInput input = oneStep();
    input.phasePeaks = {gib(1), gib(2), gib(3), gib(4), gib(5)};
    EXPECT_EQ(timelineFigure(input).table.rows[4].back(), "3.000");
}

TEST(TimelineFigureTest, moreBeforeTheTrialsOwnStepsIsANoteAndNotThePeak)
{
    TimelineInput input = oneStep();
    input.series[0].peak = MemoryPeak{gib(8), 60 * kMs};
    input.series[0].largest = MemoryPeak{gib(20), 40 * kMs};
    const Figure figure = timelineFigure(input);
    EXPECT_EQ(figure.marks[0].label, "peak allocated 8.00 GiB at 60.0 ms, backward");
    EXPECT_THAT(figure.notes, ElementsAre("Before the trial's own steps it was more: 20.0 GiB at 40.0 ms, backward."));
    EXPECT_GE(figure.y.high, 20);
}

TEST(TimelineFigureTest, aFewBytesMoreBeforeTheTrialsOwnStepsAreNoNote)
{
    TimelineInput input = oneStep();
    input.series[0].peak = MemoryPeak{gib(8), 60 * kMs};
    input.series[0].largest = MemoryPeak{gib(8) + 512, 40 * kMs};
    EXPECT_THAT(timelineFigure(input).notes, IsEmpty());
}

TEST(TimelineFigureTest, whatNobodyOwnsLooksAsItAlwaysDid)
{
    const Figure figure = timelineFigure(oneStep());
    EXPECT_THAT(figure.layers, IsEmpty());
    EXPECT_THAT(figure.legend, SizeIs(3));
    EXPECT_THAT(figure.table.rows, SizeIs(7));
}

TEST(TimelineFigureTest, categoriesAreStackedInTheirOrder)
{
    const Figure figure = timelineFigure(ownedStep());
    std::vector<std::string> names;
    for (const Layer& layer : figure.layers)
        names.push_back(layer.name);
    EXPECT_THAT(names, ElementsAre("Weights", "Saved activations", "Temporaries"));
    std::vector<std::string> legend;
    for (const LegendEntry& entry : figure.legend)
        if (entry.symbol == Symbol::Bar)
            legend.push_back(entry.text);
    EXPECT_EQ(legend, names);
    EXPECT_EQ(figure.layers[1].points[2], (BandPoint{40, 4, 19}));
}

TEST(TimelineFigureTest, theTopOfTheStackIsTheMostAndItsLayersAdjoin)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        TimelineInput input = oneStep();
        input.categories = randomCategories(random, 1 + random.below(2'500), input.endNs);
        input.series = {{"allocated", {}}};
        for (const trace::CategoryBucket& bucket : input.categories)
            input.series[0].bins.push_back({bucket.allocated.beginNs, bucket.allocated.min, bucket.allocated.max});
        const Figure figure = timelineFigure(input);
        const std::vector<BandPoint>& most = figure.bands.front().points;
        std::vector<double> reached(most.size(), 0);
        for (const Layer& layer : figure.layers) {
            ASSERT_EQ(layer.points.size(), most.size());
            for (std::size_t i = 0; i < most.size(); ++i) {
                ASSERT_EQ(layer.points[i].x, most[i].x);
                ASSERT_EQ(layer.points[i].low, reached[i]);
                reached[i] = layer.points[i].high;
            }
        }
        for (std::size_t i = 0; i < most.size(); ++i)
            ASSERT_EQ(reached[i], most[i].high) << "seed " << seed << ", bin " << i;
    }
}

TEST(TimelineFigureTest, thePeakSaysWhatItConsistsOf)
{
    const Figure figure = timelineFigure(ownedStep());
    EXPECT_THAT(figure.marks[0].hover.lines,
        ElementsAre("20.0 GiB at 40.0 ms, backward", "Saved activations 15.0 GiB (75.0 %)", "Weights 4.00 GiB (20.0 %)",
            "Temporaries 1.00 GiB (5.0 %)"));
    EXPECT_THAT(
        figure.table.rows, Contains(std::vector<std::string>{"of the peak: Saved activations", "", "", "15.000"}));
    EXPECT_THAT(figure.description, HasSubstr("Saved activations 15.0 GiB (75.0 %)"));
}

TEST(TimelineFigureTest, anIncompleteTraceSaysThatItsPeakIsALowerBound)
{
    TimelineInput input = ownedStep();
    input.losses = {"3 events were dropped."};
    const Figure figure = timelineFigure(input);
    EXPECT_THAT(figure.notes, ElementsAre("Incomplete: peak is a lower bound. 3 events were dropped."));
    EXPECT_EQ(figure.marks[0].label, "peak allocated at least 20.0 GiB at 40.0 ms, backward");
}

} // namespace
} // namespace headroom::figures
