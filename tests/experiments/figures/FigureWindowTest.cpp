// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/FigureWindow.h"

#include "experiments/figures/svg/SvgWriter.h"
#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

namespace headroom::figures {
namespace {

TEST(FigureWindowTest, theWholeWindowIsTheFigure)
{
    for (Figure figure : {tradeoffFigure(fourPolicies()), peakBarsFigure(threeBars())}) {
        const Figure part = windowed(figure, windowOf(figure));
        figure.table = {};
        EXPECT_EQ(part, figure);
    }
}

TEST(FigureWindowTest, marksOutsideAreLeftOutAndTicksFollow)
{
    const Figure part = windowed(tradeoffFigure(fourPolicies()), {{9, 20}, {1.3, 1.6}});
    ASSERT_EQ(part.marks.size(), 2U);
    EXPECT_EQ(part.marks[0].label, "all");
    EXPECT_EQ(part.marks[1].label, "every:2");
    EXPECT_EQ(part.x.low, 9);
    EXPECT_EQ(part.x.ticks, niceTicks(Scale::Linear, 9, 20, kUsualTicks));
    EXPECT_TRUE(part.references.empty());
}

TEST(FigureWindowTest, nothingReachesOutOfTheWindow)
{
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Random random(seed);
        const Figure whole = seed % 2 == 0 ? tradeoffFigure(randomTradeoff(seed)) : timelineFigure(oneStep());
        const auto stretch = [&](const Axis& axis) {
            const double from = 0.8 * random.fraction();
            return Stretch{axis.value(from), axis.value(from + 0.05 + 0.15 * random.fraction())};
        };
        const Window window{stretch(whole.x), stretch(whole.y)};
        const Figure part = windowed(whole, window);
        for (const Mark& mark : part.marks)
            EXPECT_TRUE(window.x.holds(mark.x) && window.y.holds(mark.y));
        for (const Polyline& line : part.lines)
            for (const Point& point : line.points)
                EXPECT_TRUE(window.x.holds(point.x) && window.y.holds(point.y)) << seed;
        for (const Band& band : part.bands)
            for (const BandPoint& point : band.points)
                EXPECT_TRUE(window.x.holds(point.x) && window.y.holds(point.low) && window.y.holds(point.high));
        for (const Span& span : part.spans)
            EXPECT_TRUE(window.x.holds(span.from) && window.x.holds(span.to));
        EXPECT_FALSE(toSvg(part).empty());
    }
}

TEST(FigureWindowTest, aLineThatLeavesAndComesBackIsTwoPieces)
{
    Figure figure;
    figure.x = {"x", Scale::Linear, 0, 10, {}};
    figure.y = {"y", Scale::Linear, 0, 10, {}};
    figure.lines = {{LineRole::Counter, {}, {{0, 2}, {4, 2}, {4, 8}, {6, 8}, {6, 2}, {10, 2}}}};
    const Figure part = windowed(figure, {{0, 10}, {0, 5}});
    ASSERT_EQ(part.lines.size(), 2U);
    EXPECT_EQ(part.lines[0].points, (std::vector<Point>{{0, 2}, {4, 2}, {4, 5}}));
    EXPECT_EQ(part.lines[1].points, (std::vector<Point>{{6, 5}, {6, 2}, {10, 2}}));
}

TEST(FigureWindowTest, aBandKeepsWhatReachesIntoTheWindow)
{
    Figure figure;
    figure.x = {"x", Scale::Linear, 0, 10, {}};
    figure.y = {"y", Scale::Linear, 0, 10, {}};
    figure.bands = {{{}, {{0, 1, 2}, {3, 2, 9}, {7, 1, 1}, {10, 1, 1}}, Band::Spread::Shade, Band::Below::Shade}};
    const Figure part = windowed(figure, {{4, 6}, {0, 5}});
    ASSERT_EQ(part.bands.size(), 1U);
    EXPECT_EQ(part.bands[0].points, (std::vector<BandPoint>{{4, 2, 5}, {6, 1, 1}}));
    EXPECT_EQ(part.bands[0].spread, Band::Spread::Shade);
    EXPECT_EQ(part.bands[0].below, Band::Below::Shade);
}

TEST(FigureWindowTest, barsAndSpansKeepTheirNumber)
{
    const Figure bars = peakBarsFigure(threeBars());
    const Figure part = windowed(bars, {{5, 10}, {-0.5, 2.5}});
    ASSERT_EQ(part.bars.size(), bars.bars.size());
    EXPECT_EQ(part.bars[0].from, 5);
    EXPECT_EQ(part.bars[0].to, 5);
    EXPECT_EQ(part.y, bars.y);
    const Figure timeline = timelineFigure(oneStep());
    EXPECT_EQ(windowed(timeline, {{20, 30}, {0, 10}}).spans.size(), timeline.spans.size());
}

TEST(FigureWindowTest, layersAreCutWhereTheirBandIs)
{
    const Figure figure = timelineFigure(ownedStep());
    const Figure part = windowed(figure, {{20, 60}, {figure.y.low, figure.y.high}});
    ASSERT_EQ(part.layers.size(), figure.layers.size());
    for (const Layer& layer : part.layers) {
        ASSERT_EQ(layer.points.size(), part.bands[0].points.size());
        for (std::size_t i = 0; i < layer.points.size(); ++i)
            EXPECT_EQ(layer.points[i].x, part.bands[0].points[i].x);
    }
    EXPECT_EQ(part.layers.back().points[1].high, part.bands[0].points[1].high);
}

} // namespace
} // namespace headroom::figures
