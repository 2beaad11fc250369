// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/PeakBarsFigure.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

namespace headroom::figures {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TEST(PeakBarsFigureTest, thePartsOfAPeakAreStacked)
{
    const Figure figure = peakBarsFigure(threeBars());
    ASSERT_THAT(figure.bars, SizeIs(4));
    EXPECT_EQ(figure.bars[0].part, "after load");
    EXPECT_DOUBLE_EQ(figure.bars[0].to, 4);
    EXPECT_DOUBLE_EQ(figure.bars[1].from, 4);
    EXPECT_DOUBLE_EQ(figure.bars[1].to, 19);
    EXPECT_EQ(figure.bars[2].part, "held by the measuring");
    EXPECT_DOUBLE_EQ(figure.bars[2].to, 20);
    EXPECT_EQ(figure.bars[0].id, "a");
}

TEST(PeakBarsFigureTest, aPeakOfUnknownPartsIsOneBar)
{
    const Figure figure = peakBarsFigure(threeBars());
    EXPECT_EQ(figure.bars[3].part, "peak");
    EXPECT_DOUBLE_EQ(figure.bars[3].from, 0);
    EXPECT_DOUBLE_EQ(figure.bars[3].to, 9);
    EXPECT_EQ(figure.bars[3].look.provenance, Provenance::Predicted);
}

TEST(PeakBarsFigureTest, valuesFlagsAndTheBudgetAreInWords)
{
    const Figure figure = peakBarsFigure(threeBars());
    ASSERT_THAT(figure.rowTexts, SizeIs(3));
    EXPECT_EQ(figure.rowTexts[0].text, "20.0 GiB, over budget");
    EXPECT_EQ(figure.rowTexts[1].text, "9.00 GiB, not steady");
    EXPECT_THAT(figure.references, SizeIs(1));
}

TEST(PeakBarsFigureTest, aRowWithoutAPeakHasItsReasonInThePlaceOfABar)
{
    const Figure figure = peakBarsFigure(threeBars());
    EXPECT_EQ(figure.rowTexts[2].text, "out of memory: in forward");
    EXPECT_EQ(figure.rowTexts[2].at, 0);
    EXPECT_EQ(figure.rowTexts[2].id, "c");
}

TEST(PeakBarsFigureTest, partsThatContradictThePeakAreCutToIt)
{
    PeakBarsInput input;
    input.rows = {{"a", "odd", Provenance::Measured, Outcome::Completed, {}, gib(2), gib(3), gib(5), {}}};
    const Figure figure = peakBarsFigure(input);
    ASSERT_THAT(figure.bars, SizeIs(1));
    EXPECT_DOUBLE_EQ(figure.bars[0].to, 2);
}

TEST(PeakBarsFigureTest, theLegendTellsPredictedFromMeasured)
{
    std::vector<std::string> texts;
    for (const LegendEntry& entry : peakBarsFigure(threeBars()).legend)
        texts.push_back(entry.text);
    EXPECT_THAT(texts,
        ElementsAre(
            "peak, predicted", "after load, measured", "the step's own, measured", "held by the measuring, measured"));
}

TEST(PeakBarsFigureTest, theTableHasARowForEachBar)
{
    const Figure figure = peakBarsFigure(threeBars());
    ASSERT_THAT(figure.table.rows, SizeIs(3));
    EXPECT_THAT(figure.table.rows[0],
        ElementsAre("none", "measured", "20.000", "4.000", "1.000", "completed, over the budget"));
    EXPECT_THAT(figure.table.rows[2], ElementsAre("every:2", "measured", "-", "-", "-", "out of memory: in forward"));
}

TEST(PeakBarsFigureTest, noRowsAreSaidInWords)
{
    EXPECT_EQ(peakBarsFigure({}).emptyText, "No trials yet: nothing to compare.");
}

} // namespace
} // namespace headroom::figures
