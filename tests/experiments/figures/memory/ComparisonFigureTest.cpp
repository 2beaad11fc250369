// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/ComparisonFigure.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace headroom::figures {
namespace {

std::vector<MemoryBin> binsOf(std::initializer_list<std::pair<std::int64_t, Bytes>> values)
{
    std::vector<MemoryBin> bins;
    for (const auto& [time, bytes] : values)
        bins.push_back({time, bytes, bytes});
    return bins;
}

ComparisonInput twoTrials()
{
    ComparisonInput input;
    input.title = "Allocated memory";
    input.trials = {{"a", "baseline", Provenance::Measured, binsOf({{0, 2 * kGiB}, {100, 6 * kGiB}, {300, kGiB}}),
                        {6 * kGiB, 100}, "forward"},
        {"b", "checkpointing all", Provenance::Predicted, binsOf({{0, 2 * kGiB}, {200, 3 * kGiB}}), {3 * kGiB, 200},
            "backward"}};
    input.phases = {{"forward", 0, 0, 200}, {"backward", 0, 200, 400}};
    input.window = {0, 400};
    return input;
}

Bytes valueAt(const std::vector<MemoryBin>& bins, std::int64_t time)
{
    Bytes value = 0;
    for (const MemoryBin& bin : bins)
        if (bin.beginNs <= time)
            value = bin.max;
    return value;
}

} // namespace

TEST(ComparisonFigureTest, theDifferenceIsThatOfTheValuesAtEachTime)
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<MemoryBin> bins[2];
        for (auto& own : bins) {
            std::map<std::int64_t, Bytes> values{{0, 5}};
            for (int i = 0; i < 12; ++i)
                values[static_cast<std::int64_t>(random() % 40)] = static_cast<Bytes>(random() % 9);
            for (const auto& [time, bytes] : values)
                own.push_back({time, bytes, bytes});
        }
        const auto difference = differenceOf(bins[0], bins[1]);
        for (std::int64_t time = 0; time < 45; ++time)
            ASSERT_EQ(valueAt(difference, time), valueAt(bins[0], time) - valueAt(bins[1], time)) << time;
    }
}

TEST(ComparisonFigureTest, whereOneTrialHasNoTimelineThereIsNoDifference)
{
    EXPECT_TRUE(differenceOf({}, binsOf({{0, 1}})).empty());
    EXPECT_TRUE(differenceOf(binsOf({{0, 1}}), {}).empty());
    ComparisonInput input = twoTrials();
    input.trials.back().bins.clear();
    EXPECT_FALSE(differenceFigure(input).emptyText.empty());
    EXPECT_EQ(comparisonFigure(input).lines.size(), 1U);
    EXPECT_TRUE(comparisonFigure(input).emptyText.empty());
}

TEST(ComparisonFigureTest, lettersAndColoursAreThoseOfTheTablesBeside)
{
    ComparisonInput input = twoTrials();
    input.trials[0].letter = "A";
    input.trials[1].letter = "C";
    input.trials[1].series = 2;
    const Figure figure = comparisonFigure(input);
    EXPECT_EQ(figure.legend[1].text, "C  checkpointing all, predicted");
    EXPECT_EQ(figure.lines[1].look.series, 2U);
    EXPECT_EQ(figure.marks[1].label, "C: 3.00 GiB, backward");
    EXPECT_EQ(differenceFigure(input).lines[0].look.series, 2U);
    EXPECT_EQ(differenceFigure(input).title, "Difference from A  baseline");
}

TEST(ComparisonFigureTest, whereAllArePredictedTheLegendSaysItOnce)
{
    ComparisonInput input = twoTrials();
    for (ComparedMemory& trial : input.trials)
        trial.provenance = Provenance::Predicted;
    const Figure figure = comparisonFigure(input);
    EXPECT_EQ(figure.legend[0].text, "baseline");
    EXPECT_EQ(figure.legend[1].text, "checkpointing all; all predicted");
    EXPECT_EQ(figure.table.rows[0][0], "baseline, predicted");
}

TEST(ComparisonFigureTest, aPeakIsInThePhaseOfItsOwnTrial)
{
    ComparisonInput input = twoTrials();
    input.trials[0].peak.timeNs = 190; // the forward of both phases shown, as steps were stretched
    input.trials[0].peakPhase = "optimizer";
    const Figure figure = comparisonFigure(input);
    EXPECT_EQ(figure.marks[0].label, "6.00 GiB, optimizer");
    EXPECT_EQ(figure.table.rows[0][2], "optimizer");
}

TEST(ComparisonFigureTest, eachTrialHasACurveAPeakAndAWordInTheLegend)
{
    const Figure figure = comparisonFigure(twoTrials());
    ASSERT_EQ(figure.lines.size(), 2U);
    ASSERT_EQ(figure.marks.size(), 2U);
    ASSERT_EQ(figure.legend.size(), 2U);
    EXPECT_EQ(figure.legend[0].text, "baseline");
    EXPECT_EQ(figure.legend[1].text, "checkpointing all, predicted");
    EXPECT_NE(figure.lines[0].look.series, figure.lines[1].look.series);
    EXPECT_EQ(figure.marks[0].id, "a");
    EXPECT_DOUBLE_EQ(figure.marks[0].y, 6);
    EXPECT_EQ(figure.marks[0].label, "6.00 GiB, forward");
    EXPECT_EQ(figure.spans.size(), 2U);
    EXPECT_GE(figure.y.high, 6);
}

TEST(ComparisonFigureTest, theAreaReachesFromZeroToTheDifference)
{
    const Figure figure = differenceFigure(twoTrials());
    ASSERT_EQ(figure.bands.size(), 1U);
    EXPECT_EQ(figure.bands.front().below, Band::Below::Nothing) << "a difference has two sides";
    EXPECT_EQ(figure.bands.front().spread, Band::Spread::Shade);
    double least = 0;
    double most = 0;
    for (const BandPoint& point : figure.bands.front().points) {
        EXPECT_TRUE(point.low == 0 || point.high == 0);
        least = std::min(least, point.low);
        most = std::max(most, point.high);
    }
    EXPECT_DOUBLE_EQ(least, -4); // 2 GiB where the baseline has 6
    EXPECT_DOUBLE_EQ(most, 2); // 3 GiB where the baseline has 1
    EXPECT_LE(figure.y.low, -4);
    EXPECT_GE(figure.y.high, 2);
    EXPECT_EQ(figure.lines.front().look.series, 1U); // the colour of the trial's own curve
}

TEST(ComparisonFigureTest, severalAreasWouldHideEachOtherAndAreLines)
{
    ComparisonInput input = twoTrials();
    input.trials.push_back(input.trials.back());
    const Figure figure = differenceFigure(input);
    EXPECT_TRUE(figure.bands.empty());
    EXPECT_EQ(figure.lines.size(), 2U);
}

} // namespace headroom::figures
