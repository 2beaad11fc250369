// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/DataPainter.h"

#include "ui/figures/LayerPainter.h"
#include "ui/figures/ShapePainter.h"

#include <algorithm>
#include <utility>

namespace headroom::ui {
namespace {

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

DataPainter::DataPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter)
    : m_scene(scene)
    , m_ink(ink)
    , m_painter(painter)
{
}

void DataPainter::paintGround(StackForm form)
{
    paintSpans();
    paintLayers(form);
}

void DataPainter::paintRows()
{
    paintLayerLabels();
    for (std::size_t i = 0; i < m_scene.shown->references.size(); ++i)
        paintReferenceLabel(i);
    paintBars();
    paintRowTexts();
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

void DataPainter::paintLayers(StackForm form)
{
    if (m_scene.whole->layers.empty())
        return;
    const auto [begin, end] = seenOfLayers();
    m_painter.save();
    m_painter.setClipRect(rectF(m_scene.layout.plot.grown(1)), Qt::IntersectClip);
    LayerPainter layers(m_scene, m_ink, m_painter);
    if (form == StackForm::Pixels)
        layers.paintPixels(begin, end);
    else
        layers.paintOutlines(begin, end);
    m_painter.restore();
}

std::pair<std::size_t, std::size_t> DataPainter::seenOfLayers() const
{
    return seen(m_scene.whole->layers.front().points, m_scene.x);
}

void DataPainter::paintVeil(const std::set<std::size_t>& kept, const QColor& veil)
{
    if (m_scene.isEmpty() || m_scene.whole->layers.empty())
        return;
    const auto [begin, end] = seenOfLayers();
    m_painter.save();
    m_painter.setClipRect(rectF(m_scene.layout.plot.grown(1)), Qt::IntersectClip);
    LayerPainter(m_scene, m_ink, m_painter).paintVeil(begin, end, kept, veil);
    m_painter.restore();
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

// The words keep their distance to the line while that moves.
void DataPainter::paintReferenceLabel(std::size_t reference)
{
    const figures::ReferenceLine& line = m_scene.shown->references[reference];
    const bool vertical = line.direction == figures::Direction::Vertical;
    if (const figures::Axis& axis = vertical ? m_scene.x : m_scene.y; line.at < axis.low || line.at > axis.high)
        return;
    figures::PlacedText text = m_scene.layout.referenceLabels[reference];
    if (vertical)
        text.x += m_scene.xOf(line.at) - m_scene.layout.xOf(m_scene.shown->x, line.at);
    else
        text.y += m_scene.yOf(line.at) - m_scene.layout.yOf(m_scene.shown->y, line.at);
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
    if (m_scene.namesAreAboveRows())
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

} // namespace headroom::ui
