// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/FigureLayout.h"

#include "experiments/figures/FigureWindow.h"
#include "experiments/figures/layout/TextMetrics.h"
#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace headroom::figures {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::initializer_list<double> kWidths{360, 720, 1200};

Box markBox(const PlacedMark& mark)
{
    return Box{mark.at.x, mark.at.y, 0, 0}.grown(mark.radius);
}

void expectLabelsApart(const FigureLayout& layout)
{
    for (std::size_t i = 0; i < layout.labels.size(); ++i) {
        const Box& box = layout.labels[i].box;
        EXPECT_TRUE(layout.plot.holds(box));
        EXPECT_TRUE(box.grown(0.5).holds(layout.labels[i].text.box()));
        for (const PlacedMark& mark : layout.marks)
            EXPECT_FALSE(overlap(box, markBox(mark)));
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(overlap(box, layout.labels[j].box));
    }
}

void expectTicksInOrder(const Axis& axis, const std::vector<PlacedTick>& ticks, double from, double to)
{
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        EXPECT_GE(ticks[i].at, from - 1e-6) << axis.label;
        EXPECT_LE(ticks[i].at, to + 1e-6) << axis.label;
        if (i > 0) {
            EXPECT_FALSE(overlap(ticks[i - 1].text.box(), ticks[i].text.box())) << axis.label;
        }
    }
}

/// Everything that is written, but the words of the axes.
std::vector<Box> words(const FigureLayout& layout)
{
    std::vector<Box> boxes;
    for (const auto* texts : {&layout.notes, &layout.emptyText, &layout.rowTexts, &layout.referenceLabels})
        for (const PlacedText& text : *texts)
            boxes.push_back(text.box());
    for (const auto& text : {layout.xLabel, layout.yLabel, layout.droppedNote, layout.stripTitle, layout.stripNote})
        if (text)
            boxes.push_back(text->box());
    for (const PlacedLegendEntry& entry : layout.legend)
        boxes.push_back(entry.text.box());
    for (const PlacedStripEntry& entry : layout.strip)
        for (const auto& text : {entry.label, entry.reason})
            if (text)
                boxes.push_back(text->box());
    return boxes;
}

void expectInside(const FigureLayout& layout)
{
    const Box page{0, 0, layout.width, layout.height};
    EXPECT_TRUE(page.holds(layout.plot));
    for (const Box& box : words(layout))
        EXPECT_TRUE(page.holds(box)) << box.x << " " << box.y << " " << box.right() << " " << box.bottom();
}

void expectWordsApart(const FigureLayout& layout)
{
    const auto boxes = words(layout);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(overlap(boxes[i].grown(-1), boxes[j].grown(-1))) << boxes[i].x << " " << boxes[i].y;
}

TEST(FigureLayoutTest, randomTradeoffsHaveNothingOnTopOfEachOther)
{
    for (std::uint64_t seed = 0; seed < 120; ++seed)
        for (const double width : kWidths) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", width " << width);
            const Figure figure = tradeoffFigure(randomTradeoff(seed));
            const FigureLayout layout = layOut(figure, width, TitleLines::Shown);
            for (const PlacedMark& mark : layout.marks)
                EXPECT_TRUE(layout.plot.holds(mark.at));
            expectLabelsApart(layout);
            expectTicksInOrder(figure.x, layout.xTicks, layout.plot.x, layout.plot.right());
            expectTicksInOrder(figure.y, layout.yTicks, layout.plot.y, layout.plot.bottom());
            expectInside(layout);
            expectWordsApart(layout);
            if (testing::Test::HasFailure())
                return;
        }
}

TEST(FigureLayoutTest, everyWantedLabelIsPlacedOrCounted)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Figure figure = tradeoffFigure(randomTradeoff(seed));
        const FigureLayout layout = layOut(figure, 360, TitleLines::Shown);
        const auto wanted = static_cast<std::size_t>(std::count_if(
            figure.marks.begin(), figure.marks.end(), [](const Mark& mark) { return mark.wish != LabelWish::None; }));
        EXPECT_EQ(layout.droppedNote.has_value(), layout.labels.size() < wanted);
        if (layout.droppedNote) {
            EXPECT_THAT(layout.droppedNote->text, HasSubstr("+" + std::to_string(wanted - layout.labels.size()) + " "));
        }
    }
}

TEST(FigureLayoutTest, timelinesAndBarsStayInsideTheirDrawing)
{
    for (const double width : kWidths)
        for (const Figure& figure : {timelineFigure(oneStep()), peakBarsFigure(threeBars()), timelineFigure({}),
                 peakBarsFigure({}), tradeoffFigure({})}) {
            SCOPED_TRACE(testing::Message() << figure.kind << ", width " << width);
            const FigureLayout layout = layOut(figure, width, TitleLines::Shown);
            expectInside(layout);
            expectWordsApart(layout);
            expectLabelsApart(layout);
            for (const Box& bar : layout.bars)
                EXPECT_TRUE(layout.plot.grown(0.1).holds(bar));
        }
}

TEST(FigureLayoutTest, lengthsOnTheDrawingAreThoseOfTheData)
{
    const Figure figure = peakBarsFigure(threeBars());
    const FigureLayout layout = layOut(figure, 720, TitleLines::Hidden);
    EXPECT_NEAR(
        layout.bars[3].width / (layout.bars[0].width + layout.bars[1].width + layout.bars[2].width), 9.0 / 20, 1e-9);
    EXPECT_LT(layout.bars[0].y, layout.bars[3].y);
}

TEST(FigureLayoutTest, rowTextsHaveRoomBehindTheirBars)
{
    const FigureLayout layout = layOut(peakBarsFigure(threeBars()), 720, TitleLines::Hidden);
    EXPECT_EQ(layout.rowTexts[0].text, "20.0 GiB, over budget");
    EXPECT_GE(layout.rowTexts[0].x, layout.bars[2].right());
}

TEST(FigureLayoutTest, aNarrowDrawingHasFewerTicksAndTheLegendBelow)
{
    TradeoffInput input = fourPolicies();
    const Figure figure = tradeoffFigure(input);
    const FigureLayout wide = layOut(figure, 720, TitleLines::Shown);
    const FigureLayout narrow = layOut(figure, 360, TitleLines::Shown);
    EXPECT_LT(wide.legend[0].text.y, wide.plot.y);
    EXPECT_GT(narrow.legend[0].text.y, narrow.plot.bottom());
    EXPECT_LT(narrow.yTicks.size(), wide.yTicks.size());
}

TEST(FigureLayoutTest, ticksGiveWayWhereTheirWordsWouldTouch)
{
    Figure figure = tradeoffFigure(fourPolicies());
    figure.x = {"Peak", Scale::Linear, 1000, 1000.07, niceTicks(Scale::Linear, 1000, 1000.07, kUsualTicks)};
    figure.marks.clear();
    const FigureLayout layout = layOut(figure, 360, TitleLines::Shown);
    EXPECT_LT(layout.xTicks.size(), figure.x.ticks.size());
    EXPECT_GE(layout.xTicks.size(), 2U);
    expectTicksInOrder(figure.x, layout.xTicks, layout.plot.x, layout.plot.right());
}

TEST(FigureLayoutTest, namesOfNarrowPhasesAreLeftOut)
{
    const Figure figure = timelineFigure(oneStep());
    const FigureLayout layout = layOut(figure, 720, TitleLines::Shown);
    ASSERT_THAT(layout.spans, SizeIs(5));
    EXPECT_TRUE(layout.spans[3].text);
    EXPECT_FALSE(layout.spans[4].text);
    for (const PlacedSpan& span : layout.spans)
        if (span.text) {
            EXPECT_TRUE(span.box.holds(span.text->box()));
        }
}

TEST(FigureLayoutTest, phasesLieOverTheTimesTheyCover)
{
    const Figure figure = timelineFigure(oneStep());
    const FigureLayout layout = layOut(figure, 720, TitleLines::Shown);
    for (std::size_t i = 0; i < figure.spans.size(); ++i) {
        EXPECT_DOUBLE_EQ(layout.spans[i].box.x, layout.xOf(figure.x, figure.spans[i].from));
        EXPECT_NEAR(layout.spans[i].box.right(), layout.xOf(figure.x, figure.spans[i].to), 1e-9);
    }
}

TEST(FigureLayoutTest, aLongStripKeepsASymbolForEveryTrial)
{
    TradeoffInput input;
    for (int i = 0; i < 100; ++i)
        input.trials.push_back(outOfMemory("every:" + std::to_string(i), "in backward"));
    const FigureLayout layout = layOut(tradeoffFigure(input), 360, TitleLines::Shown);
    ASSERT_THAT(layout.strip, SizeIs(100));
    EXPECT_TRUE(layout.strip.front().label);
    EXPECT_FALSE(layout.strip.back().label);
    ASSERT_TRUE(layout.stripNote);
    EXPECT_THAT(layout.stripNote->text, HasSubstr("+92 more"));
    for (const PlacedStripEntry& entry : layout.strip)
        EXPECT_LT(entry.symbol.x, 360);
}

TEST(FigureLayoutTest, inARoomTheStripGivesWayToThePlot)
{
    TradeoffInput input = fourPolicies();
    for (const char* label : {"math", "math | ema", "math | split_ffn", "math | ema | split_ffn"})
        input.trials.push_back(outOfMemory(label, "in forward"));
    const Figure figure = tradeoffFigure(input);
    const FigureLayout high = layOut(figure, Room{1060, 900}, TitleLines::Hidden);
    EXPECT_TRUE(high.strip.back().label);
    const FigureLayout low = layOut(figure, Room{1060, 480}, TitleLines::Hidden);
    EXPECT_GE(low.plot.height, 0.6 * 480);
    ASSERT_THAT(low.strip, SizeIs(4));
    EXPECT_TRUE(low.strip.front().label);
    EXPECT_FALSE(low.strip.back().label);
    EXPECT_EQ(low.strip.back().symbol.y + 4, low.stripTitle->y) << "beside the title";
    expectInside(low);
}

TEST(FigureLayoutTest, aDrawingIsNeverNarrowerThanItCanBe)
{
    EXPECT_EQ(layOut(tradeoffFigure(fourPolicies()), -5, TitleLines::Shown).width, 240);
}

TEST(FigureLayoutTest, aDrawingFillsItsRoom)
{
    for (std::uint64_t seed = 0; seed < 40; ++seed)
        for (const double height : {420.0, 800.0, 1400.0}) {
            const Figure figure = tradeoffFigure(randomTradeoff(seed));
            const FigureLayout layout = layOut(figure, Room{900, height}, TitleLines::Shown);
            // Over a strip the plot keeps half of the room, and the strip stands out.
            const double least = std::max(kLowestPlot, figure.strip.empty() ? 0 : std::min(height / 2, 420.0));
            EXPECT_LE(layout.height, std::max(height, layout.height - layout.plot.height + least));
            if (layout.plot.height > least) {
                EXPECT_GT(layout.height, height - 30) << seed;
            }
            expectInside(layout);
            expectLabelsApart(layout);
        }
}

TEST(FigureLayoutTest, rowsMoveTogetherWhereTheRoomIsLow)
{
    const Figure bars = peakBarsFigure(threeBars());
    const auto rows = static_cast<double>(bars.y.ticks.size());
    const FigureLayout own = layOut(bars, 1000, TitleLines::Shown);
    const auto rowHeight = [&](const FigureLayout& layout) { return layout.plot.height / rows; };
    const double lower = own.height - 4 * rows;
    const FigureLayout low = layOut(bars, Room{1000, lower}, TitleLines::Shown);
    EXPECT_LE(low.height, lower);
    EXPECT_LT(rowHeight(low), rowHeight(own));
    // Bars do not touch, however low it is, and do not move apart where there is more than they need.
    const FigureLayout lowest = layOut(bars, Room{1000, 50}, TitleLines::Shown);
    EXPECT_GE(rowHeight(lowest), lowest.bars.front().height + 2);
    EXPECT_EQ(rowHeight(layOut(bars, Room{1000, own.height + 300}, TitleLines::Shown)), rowHeight(own));
}

TEST(FigureLayoutTest, edgesOfThePlotLieOnWholePx)
{
    for (const double width : {360.0, 721.3, 1000.0}) {
        const FigureLayout layout = layOut(tradeoffFigure(fourPolicies()), width, TitleLines::Shown);
        for (const double edge : {layout.plot.x, layout.plot.right(), layout.plot.y, layout.plot.bottom()})
            EXPECT_EQ(edge, std::round(edge));
    }
}

TEST(FigureLayoutTest, ticksOfMovedAxesStandWhereALayoutPutsThem)
{
    const Figure figure = tradeoffFigure(fourPolicies());
    FigureLayout layout = layOut(figure, 720, TitleLines::Shown);
    const auto xTicks = layout.xTicks.size();
    layOutTicks(figure.x, figure.y, layout);
    EXPECT_EQ(layout.xTicks.size(), xTicks);
    layOutTicks(windowed(figure.x, {10, 12}), windowed(figure.y, {1.4, 1.5}), layout);
    expectTicksInOrder(figure.x, layout.xTicks, layout.plot.x, layout.plot.right());
    EXPECT_EQ(layout.xTicks.front().text.text, "10.0");
}

} // namespace
} // namespace headroom::figures
