// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/FigurePainter.h"

#include "experiments/figures/CategoryLook.h"
#include "experiments/figures/layout/FigureLayout.h"

namespace headroom::ui {

using namespace figures;

namespace {

constexpr double kLegendRingRadius = 6;
const QList<double> kFrontDashes{5, 3};
const QList<double> kReferenceDashes{6, 4};
const QList<double> kSecondCounterDashes{6, 3};

} // namespace

FigurePainter::FigurePainter(const Figure& figure, const FigureLayout& layout, QPainter& painter)
    : m_figure(figure)
    , m_layout(layout)
    , m_strokes(painter, lightPalette())
{
}

void FigurePainter::draw()
{
    drawWords();
    drawLegend();
    if (m_figure.emptyText.empty()) {
        drawAxes();
        drawSpans();
        drawLayers();
        drawBands();
        drawLines();
        drawLayerLabels();
        drawReferences();
        drawBars();
        drawMarks();
        drawLabels();
    }
    drawStrip();
}

void FigurePainter::drawWords()
{
    for (const PlacedText& line : m_layout.title)
        m_strokes.text(line, m_strokes.ink(), FigureStrokes::Words::Title);
    for (const PlacedText& line : m_layout.notes)
        m_strokes.text(line, m_strokes.ink());
    if (m_layout.droppedNote)
        m_strokes.text(*m_layout.droppedNote, m_strokes.muted());
    if (m_figure.emptyText.empty())
        return;
    m_strokes.box(m_layout.plot, {}, m_strokes.muted());
    for (const PlacedText& line : m_layout.emptyText)
        m_strokes.text(line, m_strokes.ink());
}

void FigurePainter::drawLegend()
{
    for (std::size_t i = 0; i < m_figure.legend.size(); ++i) {
        drawSymbol(m_figure.legend[i], m_layout.legend[i].symbol);
        m_strokes.text(m_layout.legend[i].text, m_strokes.ink());
    }
}

void FigurePainter::drawSymbol(const LegendEntry& entry, const Box& box)
{
    const Pixel middle = box.centre();
    const QColor colour = m_strokes.series(entry.look);
    const Segment across{{box.x, middle.y}, {box.right(), middle.y}};
    const bool isPredicted = entry.look.provenance == Provenance::Predicted;
    switch (entry.symbol) {
    case Symbol::Mark:
        return m_strokes.shape(entry.look, middle, kMarkRadius);
    case Symbol::Error:
        return m_strokes.errorBar(m_strokes.ink(), middle.x, box.y, box.bottom());
    case Symbol::Front:
        return m_strokes.line(across, colour, 1.5, isPredicted ? kFrontDashes : QList<double>());
    case Symbol::Counter:
        return m_strokes.line(across, colour, 1.5, entry.look.series == 1 ? kSecondCounterDashes : QList<double>());
    case Symbol::Spread:
        return m_strokes.area(QRectF(box.x, box.y, box.width, box.height), colour, 0.3);
    case Symbol::Faded:
        m_strokes.bar(box, entry.look);
        return m_strokes.area(QRectF(middle.x, box.y, box.width / 2, box.height), m_strokes.surface(), kFade);
    case Symbol::Bar:
        return m_strokes.bar(box, entry.look);
    case Symbol::Flag:
        return m_strokes.ring(*entry.flag, middle, kLegendRingRadius);
    }
}

void FigurePainter::drawAxes()
{
    const Box& plot = m_layout.plot;
    const bool hasRows = m_figure.y.scale == Scale::Category;
    for (const PlacedTick& tick : m_layout.xTicks) {
        m_strokes.line({{tick.at, plot.y}, {tick.at, plot.bottom()}}, m_strokes.grid(), 1);
        m_strokes.text(tick.text, m_strokes.muted());
    }
    for (const PlacedTick& tick : m_layout.yTicks) {
        if (hasRows)
            continue;
        m_strokes.line({{plot.x, tick.at}, {plot.right(), tick.at}}, m_strokes.grid(), 1);
        m_strokes.text(tick.text, m_strokes.muted());
    }
    const Pixel corner{plot.x, plot.bottom()};
    m_strokes.line({corner, {plot.right(), plot.bottom()}}, m_strokes.muted(), 1);
    if (!hasRows || m_layout.width >= kNarrowWidth)
        m_strokes.line({corner, {plot.x, plot.y}}, m_strokes.muted(), 1);
    for (const auto& label : {m_layout.xLabel, m_layout.yLabel})
        if (label)
            m_strokes.text(*label, m_strokes.muted());
}

void FigurePainter::drawSpans()
{
    for (std::size_t i = 0; i < m_figure.spans.size(); ++i) {
        const QColor colour = m_strokes.series({.series = m_figure.spans[i].series});
        QColor ground = colour;
        ground.setAlphaF(0.2F);
        m_strokes.box(m_layout.spans[i].box, ground, colour);
        if (m_layout.spans[i].text)
            m_strokes.text(*m_layout.spans[i].text, m_strokes.ink());
    }
}

// Each down to the axis and the upper ones first, as the report has them.
void FigurePainter::drawLayers()
{
    for (auto layer = m_figure.layers.rbegin(); layer != m_figure.layers.rend(); ++layer) {
        QPolygonF outline;
        for (const BandPoint& point : layer->points) {
            if (!outline.isEmpty())
                outline.append({x(point.x), outline.last().y()});
            outline.append({x(point.x), y(point.high)});
        }
        outline.append({outline.last().x(), m_layout.plot.bottom()});
        outline.append({outline.first().x(), m_layout.plot.bottom()});
        m_strokes.ground(outline, layer->look);
    }
}

void FigurePainter::drawLayerLabels()
{
    for (const LayerLabel& label : m_layout.layerLabels)
        m_strokes.labelOn(m_figure.layers[label.layer].look, label.text);
}

void FigurePainter::drawBands()
{
    for (const Band& band : m_figure.bands) {
        QPolygonF most;
        for (std::size_t i = 0; i < band.points.size(); ++i) {
            if (i > 0)
                most.append({x(band.points[i].x), y(band.points[i - 1].high)});
            most.append({x(band.points[i].x), y(band.points[i].high)});
        }
        QPolygonF spread = most;
        for (std::size_t i = band.points.size(); i-- > 0;) {
            spread.append({x(band.points[i].x), y(band.points[i].low)});
            if (i > 0)
                spread.append({x(band.points[i].x), y(band.points[i - 1].low)});
        }
        most.append({x(band.points.back().x), m_layout.plot.bottom()});
        most.append({x(band.points.front().x), m_layout.plot.bottom()});
        const bool isFirst = &band == &m_figure.bands.front();
        const bool fades = isFirst && !m_figure.layers.empty();
        if (isFirst && !fades)
            m_strokes.area(most, m_strokes.series(band.look), 0.12);
        if (fades)
            m_strokes.area(spread, m_strokes.surface(), kFade);
        else
            m_strokes.area(spread, m_strokes.series(band.look), 0.3);
    }
}

void FigurePainter::drawLines()
{
    for (const Polyline& line : m_figure.lines) {
        QPolygonF path;
        for (const Point& point : line.points)
            path.append({x(point.x), y(point.y)});
        QColor colour = m_strokes.series(line.look);
        const bool isFront = line.role == LineRole::Front;
        if (isFront)
            colour.setAlphaF(0.75F);
        const bool isDashed = isFront && line.look.provenance == Provenance::Predicted;
        const bool isSecond = !isFront && line.look.series == 1;
        m_strokes.path(path, colour, 1.5, isDashed ? kFrontDashes : isSecond ? kSecondCounterDashes : QList<double>());
    }
}

void FigurePainter::drawReferences()
{
    const Box& plot = m_layout.plot;
    for (std::size_t i = 0; i < m_figure.references.size(); ++i) {
        const ReferenceLine& line = m_figure.references[i];
        const Segment segment = line.direction == Direction::Vertical
            ? Segment{{x(line.at), plot.y - 2}, {x(line.at), plot.bottom()}}
            : Segment{{plot.x, y(line.at)}, {plot.right(), y(line.at)}};
        m_strokes.line(segment, m_strokes.limit(), 1.5, kReferenceDashes);
        m_strokes.text(m_layout.referenceLabels[i], m_strokes.limit(), FigureStrokes::Words::Strong);
    }
}

void FigurePainter::drawBars()
{
    for (std::size_t i = 0; i < m_figure.bars.size(); ++i)
        m_strokes.bar(m_layout.bars[i], m_figure.bars[i].look);
    if (m_figure.y.scale == Scale::Category)
        for (const PlacedTick& tick : m_layout.yTicks)
            m_strokes.groundedText(tick.text, m_strokes.ink());
    for (const PlacedText& text : m_layout.rowTexts)
        m_strokes.groundedText(text, m_strokes.ink());
}

// Those that want no label lie behind those that have one.
void FigurePainter::drawMarks()
{
    for (const bool isMinor : {true, false})
        for (std::size_t i = 0; i < m_figure.marks.size(); ++i)
            if ((m_figure.marks[i].wish == LabelWish::None) == isMinor)
                drawMark(m_figure.marks[i], m_layout.marks[i]);
}

void FigurePainter::drawMark(const Mark& mark, const PlacedMark& placed)
{
    const double radius = placed.radius - kRingStep * static_cast<double>(mark.flags.size());
    if (mark.error)
        m_strokes.errorBar(m_strokes.series(mark.look), placed.at.x, y(mark.error->high), y(mark.error->low));
    m_strokes.shape(mark.look, placed.at, radius);
    for (std::size_t i = 0; i < mark.flags.size(); ++i)
        m_strokes.ring(mark.flags[i], placed.at, radius + kRingStep * static_cast<double>(i + 1));
}

void FigurePainter::drawLabels()
{
    for (const MarkLabel& label : m_layout.labels) {
        if (label.leader)
            m_strokes.line(*label.leader, m_strokes.muted(), 1);
        if (label.onLine)
            m_strokes.groundedText(label.text, m_strokes.ink());
        else
            m_strokes.text(label.text, m_strokes.ink());
    }
}

void FigurePainter::drawStrip()
{
    if (m_layout.stripTitle)
        m_strokes.text(*m_layout.stripTitle, m_strokes.ink(), FigureStrokes::Words::Strong);
    for (std::size_t i = 0; i < m_figure.strip.size(); ++i) {
        const PlacedStripEntry& placed = m_layout.strip[i];
        m_strokes.shape(m_figure.strip[i].look, placed.symbol, kMarkRadius);
        if (placed.label)
            m_strokes.text(*placed.label, m_strokes.ink());
        if (placed.reason)
            m_strokes.text(*placed.reason, m_strokes.muted());
    }
    if (m_layout.stripNote)
        m_strokes.text(*m_layout.stripNote, m_strokes.muted());
}

} // namespace headroom::ui
