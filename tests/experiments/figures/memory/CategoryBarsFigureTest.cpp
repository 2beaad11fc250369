// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/CategoryBarsFigure.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

namespace headroom::figures {
namespace {

using config::MemoryCategory;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TEST(CategoryBarsFigureTest, theCategoriesOfAPeakAreStackedToItsWhole)
{
    const Figure figure = categoryBarsFigure(twoPeaks());
    ASSERT_THAT(figure.bars, SizeIs(5));
    EXPECT_EQ(figure.bars[0].part, "Weights");
    EXPECT_DOUBLE_EQ(figure.bars[0].to, 4);
    EXPECT_EQ(figure.bars[1].part, "Saved activations");
    EXPECT_DOUBLE_EQ(figure.bars[1].from, 4);
    EXPECT_DOUBLE_EQ(figure.bars[1].to, 20);
    EXPECT_EQ(figure.bars[1].look.hues, Hues::Categories);
    EXPECT_DOUBLE_EQ(figure.bars.back().to, 7);
    EXPECT_EQ(figure.rowTexts[0].text, "20.0 GiB");
    EXPECT_EQ(figure.rowTexts[1].text, "7.00 GiB, predicted");
}

TEST(CategoryBarsFigureTest, whereAllIsPredictedItIsSaidOnce)
{
    CategoryBarsInput input = twoPeaks();
    EXPECT_TRUE(categoryBarsFigure(input).notes.empty());
    for (CategoryRow& row : input.rows)
        row.provenance = Provenance::Predicted;
    const Figure figure = categoryBarsFigure(input);
    EXPECT_EQ(figure.rowTexts[1].text, "7.00 GiB");
    EXPECT_THAT(figure.notes, ElementsAre("Predicted, not measured."));
}

TEST(CategoryBarsFigureTest, theHoverSaysWhatATechniqueTookAway)
{
    const Figure figure = categoryBarsFigure(twoPeaks());
    EXPECT_THAT(figure.bars[2].hover.lines,
        ElementsAre("Weights: 4.00 GiB (57.1 %)", "of 7.00 GiB peak allocated, reached in backward",
            "Saved activations: 15.0 GiB less than none", "predicted, not measured"));
    EXPECT_THAT(figure.bars[0].hover.lines, SizeIs(3));
    EXPECT_EQ(figure.table.rows[1].back(), "Saved activations: 15.0 GiB less than none");
    EXPECT_EQ(figure.table.rows[0].back(), "-");
}

TEST(CategoryBarsFigureTest, onlyCategoriesThatOccurAreNamed)
{
    const Figure figure = categoryBarsFigure(twoPeaks());
    std::vector<std::string> legend;
    for (const LegendEntry& entry : figure.legend)
        legend.push_back(entry.text);
    EXPECT_THAT(legend, ElementsAre("Weights", "Saved activations", "Recomputed activations"));
    EXPECT_THAT(figure.table.header, SizeIs(8));
    for (const auto& row : figure.table.rows)
        EXPECT_EQ(row.size(), figure.table.header.size());
}

TEST(CategoryBarsFigureTest, aRowWithoutAPeakHasItsReasonInThePlaceOfABar)
{
    const Figure figure = categoryBarsFigure(twoPeaks());
    EXPECT_EQ(figure.rowTexts[2].text, "out of memory: in forward");
    EXPECT_EQ(figure.rowTexts[2].at, 0);
}

} // namespace
} // namespace headroom::figures
