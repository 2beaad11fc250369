// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/drawing/FigureDrawing.h"

#include "experiments/figures/drawing/ShapeDrawing.h"

#include <algorithm>
#include <utility>

namespace headroom::figures {
namespace {

constexpr double kLegendRing = 6;
constexpr double kLeastPartPx = 0.2; ///< of a bar: less is not seen; the table has it
constexpr double kHaloRadius = 10; ///< what a finger or a pointer finds
constexpr double kStripHalo = 8;

} // namespace

FigureDrawing::FigureDrawing(const PlotScene& scene, Canvas& canvas, Share share)
    : m_scene(scene)
    , m_figure(*scene.shown)
    , m_canvas(canvas)
    , m_share(share)
    , m_isAtRest(scene.isAtRest())
{
}

void FigureDrawing::drawAll()
{
    m_canvas.box({Role::Surface}, {0, 0, m_scene.layout.width, m_scene.layout.height});
    drawFrame();
    if (!m_scene.isEmpty()) {
        drawGround();
        drawLines();
        drawRows();
        drawMarks();
        drawLabels();
    }
    drawStrip();
}

void FigureDrawing::drawFrame()
{
    const FigureLayout& layout = m_scene.layout;
    for (const PlacedText& line : layout.title)
        m_canvas.text(TextRole::Title, line);
    for (const PlacedText& line : layout.notes)
        m_canvas.text(TextRole::Note, line);
    if (layout.droppedNote)
        m_canvas.text(TextRole::Small, *layout.droppedNote);
    if (m_scene.isEmpty())
        drawEmpty();
    drawLegend();
    if (m_scene.isEmpty())
        return;
    if (isWhole())
        drawAxes();
    else
        drawAxisLabels();
}

void FigureDrawing::drawEmpty()
{
    m_canvas.box({Role::Frame}, m_scene.layout.plot);
    for (const PlacedText& line : m_scene.layout.emptyText)
        m_canvas.text(TextRole::Empty, line);
}

void FigureDrawing::drawLegend()
{
    m_canvas.open({DrawnGroup::Kind::Legend});
    for (std::size_t i = 0; i < m_figure.legend.size(); ++i) {
        m_canvas.open({DrawnGroup::Kind::Look, m_figure.legend[i].look});
        drawSymbol(m_figure.legend[i], m_scene.layout.legend[i].symbol);
        m_canvas.text(TextRole::LegendLabel, m_scene.layout.legend[i].text);
        m_canvas.close();
    }
    m_canvas.close();
}

void FigureDrawing::drawSymbol(const LegendEntry& entry, const Box& box)
{
    const Pixel middle = box.centre();
    const Segment across{{box.x, middle.y}, {box.right(), middle.y}};
    switch (entry.symbol) {
    case Symbol::Mark:
        return drawShape(m_canvas, entry.look, middle, kMarkRadius, usualOutline(m_figure));
    case Symbol::Error:
        return drawErrorBar(m_canvas, Role::ErrorSymbol, entry.look, middle.x, box.y, box.bottom());
    case Symbol::Front:
        return m_canvas.line({Role::Front, entry.look}, across);
    case Symbol::Counter:
        return m_canvas.line({Role::Counter, entry.look}, across);
    case Symbol::Spread:
        return m_canvas.box({Role::Spread, entry.look}, box);
    case Symbol::Faded:
        m_canvas.box({Role::Bar, entry.look}, box);
        return m_canvas.box({Role::Fade, entry.look}, {middle.x, box.y, box.width / 2, box.height});
    case Symbol::Bar:
        return m_canvas.box({Role::Bar, entry.look}, box);
    case Symbol::Flag:
        return drawRing(m_canvas, *entry.flag, middle, kLegendRing);
    }
}

void FigureDrawing::drawAxes()
{
    const Box& plot = m_scene.layout.plot;
    m_canvas.open({DrawnGroup::Kind::Axes});
    for (const PlacedTick& tick : m_scene.layout.xTicks) {
        m_canvas.line({Role::Grid}, {{tick.at, plot.y}, {tick.at, plot.bottom()}});
        m_canvas.text(TextRole::TickLabel, tick.text);
    }
    if (m_figure.y.scale != Scale::Category)
        for (const PlacedTick& tick : m_scene.layout.yTicks) {
            m_canvas.line({Role::Grid}, {{plot.x, tick.at}, {plot.right(), tick.at}});
            m_canvas.text(TextRole::TickLabel, tick.text);
        }
    const Pixel corner{plot.x, plot.bottom()};
    m_canvas.line({Role::Axis}, {corner, {plot.right(), plot.bottom()}});
    if (!m_scene.namesAreAboveRows()) // they stand on it otherwise
        m_canvas.line({Role::Axis}, {corner, {plot.x, plot.y}});
    drawAxisLabels();
    m_canvas.close();
}

void FigureDrawing::drawAxisLabels()
{
    for (const auto& label : {m_scene.layout.xLabel, m_scene.layout.yLabel})
        if (label)
            m_canvas.text(TextRole::AxisLabel, *label);
}

void FigureDrawing::drawGround()
{
    drawSpans();
    if (isWhole())
        drawLayers();
}

void FigureDrawing::drawSpans()
{
    for (std::size_t i = 0; i < m_scene.layout.spans.size(); ++i) {
        const PlacedSpan& placed = m_scene.layout.spans[i];
        const Box box = m_isAtRest ? placed.box : m_scene.spanBox(i);
        if (!m_isAtRest && box.width <= 0)
            continue;
        const Span& span = m_scene.whole->spans[i];
        Look look;
        look.series = span.series;
        m_canvas.open({DrawnGroup::Kind::Span, look, span.name, &span.hover});
        m_canvas.box({Role::Span, look}, box);
        if (auto text = placed.text; text && (m_isAtRest || text->box().width + 4 <= box.width)) {
            text->x = m_isAtRest ? text->x : box.centre().x;
            m_canvas.text(TextRole::SpanLabel, *text);
        }
        m_canvas.close();
    }
}

std::vector<Pixel> FigureDrawing::upperEdge(const std::vector<BandPoint>& points) const
{
    std::vector<Pixel> edge;
    for (const BandPoint& point : points) {
        const Pixel next = top(point);
        if (!edge.empty())
            edge.push_back({next.x, edge.back().y});
        edge.push_back(next);
    }
    return edge;
}

std::vector<Pixel> FigureDrawing::downToTheAxis(std::vector<Pixel> edge) const
{
    const double axis = m_scene.layout.plot.bottom();
    const double first = edge.front().x;
    edge.push_back({edge.back().x, axis});
    edge.push_back({first, axis});
    return edge;
}

// Each down to the axis and the upper ones first: so there is one edge for two layers, and no gap between them.
void FigureDrawing::drawLayers()
{
    for (auto layer = m_figure.layers.rbegin(); layer != m_figure.layers.rend(); ++layer) {
        m_canvas.open({DrawnGroup::Kind::Layer, layer->look, layer->name});
        m_canvas.path({Role::Layer, layer->look}, downToTheAxis(upperEdge(layer->points)), Ends::Closed);
        m_canvas.close();
    }
}

void FigureDrawing::drawLines()
{
    for (const Band& band : m_figure.bands)
        if (!band.points.empty()) {
            m_canvas.open({DrawnGroup::Kind::Look, band.look});
            drawBand(band);
            m_canvas.close();
        }
    for (const Polyline& line : m_figure.lines) {
        std::vector<Pixel> points;
        for (const Point& point : line.points)
            points.push_back({m_scene.xOf(point.x), m_scene.yOf(point.y)});
        m_canvas.open({DrawnGroup::Kind::Look, line.look});
        m_canvas.path({line.role == LineRole::Front ? Role::Front : Role::Counter, line.look}, points, Ends::Open);
        m_canvas.close();
    }
}

void FigureDrawing::drawBand(const Band& band)
{
    const std::vector<Pixel> edge = upperEdge(band.points);
    if (band.below == Band::Below::Shade)
        m_canvas.path({Role::Below, band.look}, downToTheAxis(edge), Ends::Closed);
    if (band.spread == Band::Spread::None)
        return;
    std::vector<Pixel> around = edge;
    for (std::size_t i = band.points.size(); i-- > 0;) {
        around.push_back(bottom(band.points[i]));
        if (i > 0)
            around.push_back({bottom(band.points[i]).x, bottom(band.points[i - 1]).y});
    }
    m_canvas.path({band.spread == Band::Spread::Fade ? Role::Fade : Role::Spread, band.look}, around, Ends::Closed);
}

void FigureDrawing::drawRows()
{
    drawLayerLabels();
    drawReferences();
    drawBars();
    drawRowTexts();
}

// They go with their layers while the axes move.
void FigureDrawing::drawLayerLabels()
{
    for (const LayerLabel& label : m_scene.layout.layerLabels) {
        PlacedText text = label.text;
        if (!m_isAtRest)
            text.x = m_scene.xOf(m_figure.x.value(m_scene.layout.fractionOf(text.x)));
        if (!m_isAtRest && !m_scene.layout.plot.holds(text.box()))
            continue;
        const Look& look = m_figure.layers[label.layer].look;
        m_canvas.open({DrawnGroup::Kind::Look, look});
        m_canvas.text(TextRole::LayerLabel, text, Backing::Rim, look);
        m_canvas.close();
    }
}

// The words keep their distance to the line while that moves.
void FigureDrawing::drawReferences()
{
    const Box& plot = m_scene.layout.plot;
    for (std::size_t i = 0; i < m_figure.references.size(); ++i) {
        const ReferenceLine& line = m_figure.references[i];
        const bool vertical = line.direction == Direction::Vertical;
        const Axis& axis = vertical ? m_scene.x : m_scene.y;
        if (!m_isAtRest && (line.at < axis.low || line.at > axis.high))
            continue;
        const double now = vertical ? m_scene.xOf(line.at) : m_scene.yOf(line.at);
        if (isWhole())
            m_canvas.line({Role::Reference},
                vertical ? Segment{{now, plot.y - 2}, {now, plot.bottom()}}
                         : Segment{{plot.x, now}, {plot.right(), now}});
        PlacedText text = m_scene.layout.referenceLabels[i];
        if (vertical)
            text.x += now - m_scene.layout.xOf(m_figure.x, line.at);
        else
            text.y += now - m_scene.layout.yOf(m_figure.y, line.at);
        m_canvas.text(TextRole::ReferenceLabel, text, Backing::Rim, {});
    }
}

void FigureDrawing::drawBars()
{
    for (std::size_t i = 0; i < m_scene.layout.bars.size(); ++i) {
        const BarSegment& bar = m_scene.whole->bars[i];
        const Box box = m_isAtRest ? m_scene.layout.bars[i] : m_scene.barBox(i);
        if ((bar.look.hues == Hues::Categories && box.width < kLeastPartPx) || (!m_isAtRest && box.width <= 0))
            continue;
        m_canvas.open({DrawnGroup::Kind::Mark, bar.look, bar.id, &bar.hover});
        m_canvas.box({Role::Bar, bar.look}, box);
        m_canvas.close();
    }
}

void FigureDrawing::drawRowTexts()
{
    if (isWhole() ? m_figure.y.scale == Scale::Category : m_scene.namesAreAboveRows())
        for (const PlacedTick& tick : m_scene.layout.yTicks)
            m_canvas.text(TextRole::RowName, tick.text, Backing::Surface, {});
    for (std::size_t i = 0; i < m_scene.layout.rowTexts.size(); ++i)
        drawRowText(i);
}

void FigureDrawing::drawRowText(std::size_t row)
{
    const RowText& words = m_figure.rowTexts[row];
    PlacedText text = m_scene.layout.rowTexts[row];
    text.x += m_scene.xOf(words.at) - m_scene.layout.xOf(m_figure.x, words.at);
    if (!m_isAtRest && text.x < m_scene.layout.plot.x)
        return;
    if (words.hover == Hover{})
        return m_canvas.text(TextRole::RowText, text, Backing::Surface, {});
    m_canvas.open({DrawnGroup::Kind::Words, {}, words.id, &words.hover});
    m_canvas.text(TextRole::RowText, text, Backing::Surface, {});
    m_canvas.close();
}

// Those that want no label lie behind those that have one.
void FigureDrawing::drawMarks()
{
    for (const bool minor : {true, false})
        for (std::size_t i = 0; i < m_figure.marks.size(); ++i)
            if ((m_figure.marks[i].wish == LabelWish::None) == minor)
                drawMark(m_figure.marks[i], m_scene.layout.marks[i]);
}

void FigureDrawing::drawMark(const Mark& mark, const PlacedMark& placed)
{
    const Outline outline = mark.wish == LabelWish::None ? Outline::Minor : Outline::Usual;
    m_canvas.open({DrawnGroup::Kind::Mark, mark.look, mark.id, &mark.hover, outline});
    m_canvas.circle({Role::Halo}, placed.at, std::max(kHaloRadius, placed.radius + 3));
    if (mark.error)
        drawErrorBar(
            m_canvas, Role::Error, mark.look, placed.at.x, m_scene.yOf(mark.error->high), m_scene.yOf(mark.error->low));
    drawShape(m_canvas, mark.look, placed.at, PlotScene::radiusOf(mark), outlineOf(mark, m_figure));
    for (std::size_t i = 0; i < mark.flags.size(); ++i)
        drawRing(m_canvas, mark.flags[i], placed.at, PlotScene::ringRadius(mark, i));
    m_canvas.close();
}

// Labels go with their marks while the axes move.
void FigureDrawing::drawLabels()
{
    for (const MarkLabel& label : m_scene.layout.labels) {
        const Pixel laid = m_scene.layout.marks[label.mark].at;
        const Pixel now = m_isAtRest ? laid : m_scene.at(m_figure.marks[label.mark]);
        const Pixel moved{now.x - laid.x, now.y - laid.y};
        PlacedText text = label.text;
        text.x += moved.x;
        text.y += moved.y;
        if (!m_isAtRest && !m_scene.layout.plot.holds(text.box()))
            continue;
        if (const auto& leader = label.leader)
            m_canvas.line({Role::Leader},
                {{leader->from.x + moved.x, leader->from.y + moved.y},
                    {leader->to.x + moved.x, leader->to.y + moved.y}});
        m_canvas.text(TextRole::Label, text, label.onLine ? Backing::Surface : Backing::Rim, {});
    }
}

void FigureDrawing::drawStrip()
{
    const FigureLayout& layout = m_scene.layout;
    if (layout.stripTitle)
        m_canvas.text(TextRole::StripTitle, *layout.stripTitle);
    for (std::size_t i = 0; i < layout.strip.size(); ++i) {
        const StripEntry& entry = m_figure.strip[i];
        const PlacedStripEntry& placed = layout.strip[i];
        m_canvas.open({DrawnGroup::Kind::Mark, entry.look, entry.id, &entry.hover});
        m_canvas.circle({Role::Halo}, placed.symbol, kStripHalo);
        drawShape(m_canvas, entry.look, placed.symbol, kMarkRadius, Outline::Usual);
        if (placed.label)
            m_canvas.text(TextRole::StripLabel, *placed.label);
        if (placed.reason)
            m_canvas.text(TextRole::Reason, *placed.reason);
        m_canvas.close();
    }
    if (layout.stripNote)
        m_canvas.text(TextRole::Small, *layout.stripNote);
}

} // namespace headroom::figures
