// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/FigureScale.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gtest/gtest.h>

namespace headroom::figures {
namespace {

TEST(FigureScaleTest, anAxisOfPositiveValuesCanBeLogarithmic)
{
    const Figure figure = tradeoffFigure(fourPolicies());
    EXPECT_TRUE(canBeLogarithmic(figure, AxisName::X));
    EXPECT_TRUE(canBeLogarithmic(figure, AxisName::Y));
    EXPECT_FALSE(canBeLogarithmic(timelineFigure(oneStep()), AxisName::X));
    EXPECT_FALSE(canBeLogarithmic(peakBarsFigure(threeBars()), AxisName::X));
    EXPECT_FALSE(canBeLogarithmic(peakBarsFigure(threeBars()), AxisName::Y));
    EXPECT_FALSE(canBeLogarithmic(tradeoffFigure({}), AxisName::X));
}

TEST(FigureScaleTest, theAxisShowsAllValuesAndSaysItsScale)
{
    const Figure linear = tradeoffFigure(fourPolicies());
    const Figure logarithmic = scaled(linear, AxisName::X, Scale::Logarithmic);
    EXPECT_EQ(logarithmic.x.label, "Peak reserved (GiB, log scale)");
    for (const Mark& mark : logarithmic.marks) {
        EXPECT_GT(logarithmic.x.fraction(mark.x), 0);
        EXPECT_LT(logarithmic.x.fraction(mark.x), 1);
    }
    EXPECT_LT(logarithmic.x.fraction(linear.references.front().at), 1);
    EXPECT_EQ(scaled(logarithmic, AxisName::X, Scale::Linear).x.label, linear.x.label);
    EXPECT_EQ(scaled(linear, AxisName::X, Scale::Linear), linear);
}

TEST(FigureScaleTest, whatCannotBeLogarithmicStaysAsItIs)
{
    const Figure bars = peakBarsFigure(threeBars());
    EXPECT_EQ(scaled(bars, AxisName::X, Scale::Logarithmic), bars);
}

TEST(FigureScaleTest, labelsGainAndLoseTheWords)
{
    EXPECT_EQ(labelFor(Scale::Logarithmic, "Trials"), "Trials (log scale)");
    EXPECT_EQ(labelFor(Scale::Logarithmic, "Peak (GiB)"), "Peak (GiB, log scale)");
    EXPECT_EQ(labelFor(Scale::Logarithmic, "Peak (GiB, log scale)"), "Peak (GiB, log scale)");
    EXPECT_EQ(labelFor(Scale::Linear, "Peak (GiB, log scale)"), "Peak (GiB)");
    EXPECT_EQ(labelFor(Scale::Linear, "Trials (log scale)"), "Trials");
}

TEST(FigureScaleTest, aValueLiesWhereItsFractionSays)
{
    for (const Axis& axis : {Axis{"", Scale::Linear, -3, 5, {}}, Axis{"", Scale::Logarithmic, 0.1, 50, {}}})
        for (const double value : {0.2, 1.0, 4.5})
            EXPECT_NEAR(axis.value(axis.fraction(value)), value, 1e-12);
}

} // namespace
} // namespace headroom::figures
