// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/DataPainter.h"

#include "ui/figures/ColumnPainter.h"
#include "ui/figures/FramePainter.h"
#include "ui/figures/LayerPainter.h"
#include "ui/figures/ShapePainter.h"

#include <algorithm>
#include <utility>

namespace headroom::ui {
namespace {

using figures::Direction;

constexpr double kDataUnder = 0.12; ///< opacity of what lies below a counter
constexpr double kDataSpread = 0.3;
constexpr double kSpan = 0.2;

/// Those of ascending points that lie on the axis, and their neighbours: a figure may hold much more than is seen.
template <typename Points> std::pair<std::size_t, std::size_t> seen(const Points& points, const figures::Axis& axis)
{
    const auto isBefore = [](const auto& point, double x) { return point.x < x; };
    const auto isBehind = [](double x, const auto& point) { return x < point.x; };
    const auto first = std::lower_bound(points.begin(), points.end(), axis.low, isBefore);
    const auto last = std::upper_bound(first, points.end(), axis.high, isBehind);
    return {static_cast<std::size_t>(first == points.begin() ? 0 : first - points.begin() - 1),
        static_cast<std::size_t>(last == points.end() ? points.size() : last - points.begin() + 1)};
}

} // namespace

DataPainter::DataPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter, MarkPictures* pictures)
    : m_scene(scene)
    , m_ink(ink)
    , m_painter(painter)
    , m_pictures(pictures)
{
}

void DataPainter::paint()
{
    paintSpans();
    m_painter.save();
    m_painter.setClipRect(rectF(m_scene.layout.plot.grown(1)), Qt::IntersectClip);
    paintLayers();
    paintBands();
    paintLines();
    paintLayerLabels();
    m_painter.restore();
    paintReferences();
    paintBars();
    paintRowTexts();
    MarkPainter(m_scene, m_ink, m_painter, m_pictures).paint();
    paintLabels();
}

void DataPainter::paintSpans()
{
    for (std::size_t i = 0; i < m_scene.layout.spans.size(); ++i) {
        const figures::Box box = m_scene.spanBox(i);
        if (box.width <= 0)
            continue;
        const figures::Span& span = m_scene.whole->spans[i];
        m_painter.setPen(QPen(m_ink.series(span.series), 1));
        m_painter.setBrush(m_ink.series(span.series, kSpan));
        m_painter.drawRect(rectF(box));
        auto text = m_scene.layout.spans[i].text;
        if (!text || text->box().width + 4 > box.width)
            continue;
        text->x = box.centre().x;
        FigureInk::write(m_painter, *text, m_ink.ink());
    }
}

// What goes into a file stays outlines.
bool DataPainter::mayBePixels(std::size_t values) const
{
    return m_pictures != nullptr && ColumnPainter::suits(m_scene, values);
}

void DataPainter::paintLayers()
{
    if (m_scene.whole->layers.empty())
        return;
    const auto [begin, end] = seen(m_scene.whole->layers.front().points, m_scene.x);
    LayerPainter layers(m_scene, m_ink, m_painter);
    if (m_pictures != nullptr)
        layers.paintPixels(begin, end);
    else
        layers.paintOutlines(begin, end);
}

// They go with their layers while the axes move.
void DataPainter::paintLayerLabels()
{
    for (const figures::LayerLabel& label : m_scene.layout.layerLabels) {
        figures::PlacedText text = label.text;
        text.x = m_scene.xOf(m_scene.shown->x.value(m_scene.layout.fractionOf(text.x)));
        if (m_scene.layout.plot.holds(text.box()))
            FigureInk::writeRimmed(m_painter, text, m_ink.onCategory(),
                m_ink.category(m_scene.shown->layers[label.layer].look.series), Words::Plain);
    }
}

void DataPainter::paintBands()
{
    m_painter.setPen(Qt::NoPen);
    for (const figures::Band& band : m_scene.whole->bands)
        if (!band.points.empty())
            paintBand(band);
}

void DataPainter::paintBand(const figures::Band& band)
{
    const auto [begin, end] = seen(band.points, m_scene.x);
    const bool isFirst = &band == &m_scene.whole->bands.front();
    const bool fades = isFirst && !m_scene.whole->layers.empty();
    if (mayBePixels(end - begin)) {
        using Fill = ColumnPainter::Fill;
        ColumnPainter(m_scene, m_ink, m_painter)
            .paintBand(band, begin, end,
                fades         ? Fill::Fade
                    : isFirst ? Fill::SpreadAndUnder
                              : Fill::Spread);
        return;
    }
    QPolygonF most;
    for (std::size_t i = begin; i < end; ++i) {
        const QPointF next = top(band.points[i]);
        if (i > begin)
            most << QPointF(next.x(), most.last().y());
        most << next;
    }
    QPolygonF spread = most;
    for (std::size_t i = end; i-- > begin;) {
        spread << bottom(band.points[i]);
        if (i > begin)
            spread << QPointF(bottom(band.points[i]).x(), bottom(band.points[i - 1]).y());
    }
    if (isFirst && !fades) {
        most << QPointF(most.last().x(), m_scene.layout.plot.bottom())
             << QPointF(most.first().x(), m_scene.layout.plot.bottom());
        m_painter.setBrush(m_ink.series(band.look.series, kDataUnder));
        m_painter.drawPolygon(most);
    }
    m_painter.setBrush(fades ? m_ink.fade() : m_ink.series(band.look.series, kDataSpread));
    m_painter.drawPolygon(spread);
}

void DataPainter::paintLines()
{
    for (const figures::Polyline& line : m_scene.whole->lines) {
        const bool isCounter = line.role == figures::LineRole::Counter;
        const auto [begin, end] =
            isCounter ? seen(line.points, m_scene.x) : std::pair{std::size_t(0), line.points.size()};
        if (isCounter && mayBePixels((end - begin) / 2)) {
            ColumnPainter(m_scene, m_ink, m_painter).paintLine(line, begin, end);
            continue;
        }
        QPolygonF points;
        for (std::size_t i = begin; i < end; ++i)
            points << QPointF(m_scene.xOf(line.points[i].x), m_scene.yOf(line.points[i].y));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(isCounter ? m_ink.counterPen(line.look) : m_ink.frontPen(line.look));
        m_painter.drawPolyline(points);
    }
}

void DataPainter::paintReferences()
{
    const figures::Box& plot = m_scene.layout.plot;
    for (std::size_t i = 0; i < m_scene.shown->references.size(); ++i) {
        const figures::ReferenceLine& line = m_scene.shown->references[i];
        const bool vertical = line.direction == Direction::Vertical;
        const double at = vertical ? m_scene.xOf(line.at) : m_scene.yOf(line.at);
        if (vertical ? at < plot.x || at > plot.right() : at < plot.y || at > plot.bottom())
            continue;
        m_painter.setPen(m_ink.limitPen());
        m_painter.drawLine(vertical ? QLineF(at, plot.y - 2, at, plot.bottom()) : QLineF(plot.x, at, plot.right(), at));
        paintReferenceLabel(i, at);
    }
}

// The words keep their distance to the line while that moves.
void DataPainter::paintReferenceLabel(std::size_t reference, double at)
{
    const figures::ReferenceLine& line = m_scene.shown->references[reference];
    figures::PlacedText text = m_scene.layout.referenceLabels[reference];
    if (line.direction == Direction::Vertical)
        text.x += at - m_scene.layout.xOf(m_scene.shown->x, line.at);
    else
        text.y += at - m_scene.layout.yOf(m_scene.shown->y, line.at);
    m_ink.writeRimmed(m_painter, text, m_ink.limit(), Words::Strong);
}

void DataPainter::paintBars()
{
    for (std::size_t i = 0; i < m_scene.layout.bars.size(); ++i)
        if (const figures::Box box = m_scene.barBox(i); box.width > 0)
            paintBar(m_painter, m_ink, box, m_scene.whole->bars[i].look);
}

void DataPainter::paintRowTexts()
{
    if (m_scene.y.scale == figures::Scale::Category)
        for (const figures::PlacedTick& tick : m_scene.layout.yTicks)
            m_ink.writeGrounded(m_painter, tick.text, m_ink.ink());
    for (std::size_t i = 0; i < m_scene.layout.rowTexts.size(); ++i) {
        figures::PlacedText text = m_scene.layout.rowTexts[i];
        text.x += m_scene.xOf(m_scene.shown->rowTexts[i].at)
            - m_scene.layout.xOf(m_scene.shown->x, m_scene.shown->rowTexts[i].at);
        if (text.x >= m_scene.layout.plot.x)
            m_ink.writeGrounded(m_painter, text, m_ink.ink());
    }
}

// Labels go with their marks while the axes move.
void DataPainter::paintLabels()
{
    for (const figures::MarkLabel& label : m_scene.layout.labels) {
        const figures::Pixel laid = m_scene.layout.marks[label.mark].at;
        const figures::Pixel now = m_scene.at(m_scene.shown->marks[label.mark]);
        figures::PlacedText text = label.text;
        text.x += now.x - laid.x;
        text.y += now.y - laid.y;
        if (!m_scene.layout.plot.holds(text.box()))
            continue;
        if (label.leader) {
            m_painter.setPen(QPen(m_ink.muted(), 1));
            const QPointF moved(now.x - laid.x, now.y - laid.y);
            m_painter.drawLine(pointF(label.leader->from) + moved, pointF(label.leader->to) + moved);
        }
        if (label.onLine)
            m_ink.writeGrounded(m_painter, text, m_ink.ink());
        else
            m_ink.writeRimmed(m_painter, text, m_ink.ink());
    }
}

void paintFigure(const PlotScene& scene, const FigureInk& ink, QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(0, 0, scene.layout.width, scene.layout.height), ink.surface());
    FramePainter frame(scene, ink, painter);
    frame.paintWords();
    frame.paintAxisLines();
    if (!scene.isEmpty())
        DataPainter(scene, ink, painter, nullptr).paint();
    frame.paintStrip();
}

} // namespace headroom::ui
