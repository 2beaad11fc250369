// SPDX-License-Identifier: Apache-2.0
#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

namespace headroom::figures::tradeoff_looks_test {
namespace {

using testing::Contains;
using testing::ElementsAre;

TradeoffInput byTechnique()
{
    TradeoffInput input = fourPolicies();
    input.colourBy = "checkpointing";
    for (TradeoffTrial& trial : input.trials)
        trial.colourKey = trial.label;
    return input;
}

std::vector<std::string> legendTexts(const Figure& figure)
{
    std::vector<std::string> texts;
    for (const LegendEntry& entry : figure.legend)
        texts.push_back(entry.text);
    return texts;
}

TEST(TradeoffLooksTest, aTechniqueGivesTheColourAndTheLegendNamesItsSettings)
{
    const Figure figure = tradeoffFigure(byTechnique());
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(figure.marks[i].look.series, i);
        EXPECT_EQ(figure.marks[i].look.shape, Shape::Circle);
    }
    EXPECT_THAT(legendTexts(figure),
        ElementsAre("checkpointing none", "checkpointing all", "checkpointing every:2", "checkpointing every:4",
            "hollow: predicted", "Pareto front"));
}

TEST(TradeoffLooksTest, measuredAndPredictedAreToldApartInTheLegend)
{
    TradeoffInput input = byTechnique();
    input.trials[0].provenance = Provenance::Measured;
    const auto texts = legendTexts(tradeoffFigure(input));
    EXPECT_THAT(texts, Contains("filled: measured"));
    EXPECT_THAT(texts, Contains("hollow: predicted"));
}

TEST(TradeoffLooksTest, aSecondTechniqueGivesTheShape)
{
    TradeoffInput input = byTechnique();
    input.shapeBy = "split_ffn";
    for (std::size_t i = 0; i < 4; ++i)
        input.trials[i].shapeKey = i < 2 ? "off" : "4";
    const Figure figure = tradeoffFigure(input);
    EXPECT_EQ(figure.marks[1].look.shape, Shape::Circle);
    EXPECT_EQ(figure.marks[2].look.shape, Shape::Square);
    EXPECT_THAT(legendTexts(figure), Contains("split_ffn off"));
    EXPECT_THAT(legendTexts(figure), Contains("split_ffn 4"));
}

TEST(TradeoffLooksTest, frontsStayThoseOfTheGroups)
{
    TradeoffInput input = byTechnique();
    for (std::size_t i = 0; i < 4; ++i)
        input.trials[i].group = i < 2 ? "a" : "b";
    EXPECT_EQ(tradeoffFigure(input).lines.size(), 2U);
    input.front = FrontLines::Hidden;
    EXPECT_TRUE(tradeoffFigure(input).lines.empty());
}

TEST(TradeoffLooksTest, settingsBeyondTheColoursShareOneAndTheLegendSaysSo)
{
    TradeoffInput input;
    input.colourBy = "checkpointing";
    for (int i = 0; i < 9; ++i) {
        input.trials.push_back(predicted("every:" + std::to_string(i), 1 + i, 1 + i));
        input.trials.back().colourKey = "every:" + std::to_string(i);
    }
    const Figure figure = tradeoffFigure(input);
    EXPECT_EQ(figure.marks[5].look.series, figure.marks[8].look.series);
    EXPECT_THAT(legendTexts(figure), Contains("4 other settings"));
}

TEST(TradeoffLooksTest, usableMemoryIsASecondLineUnlessItIsTheBudget)
{
    TradeoffInput input = fourPolicies();
    input.usable = Budget{gib(30), "usable memory of a100-40gb"};
    Figure figure = tradeoffFigure(input);
    ASSERT_EQ(figure.references.size(), 2U);
    EXPECT_EQ(figure.references[1].label, "usable memory of a100-40gb (30.0 GiB)");
    EXPECT_GE(figure.x.high, 30);
    input.usable->bytes = input.budget->bytes;
    EXPECT_EQ(tradeoffFigure(input).references.size(), 1U);
    input.usable->bytes = gib(500);
    EXPECT_THAT(
        tradeoffFigure(input).notes, Contains("usable memory of a100-40gb (500 GiB) lies beyond the right edge."));
}

} // namespace
} // namespace headroom::figures::tradeoff_looks_test
