// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/FramePainter.h"

#include "experiments/figures/layout/FigureLayout.h"
#include "ui/figures/ShapePainter.h"

namespace headroom::ui {
namespace {

using figures::Symbol;

constexpr double kLegendRadius = 4.5;
constexpr double kEmptyCorner = 4;

} // namespace

FramePainter::FramePainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter)
    : m_scene(scene)
    , m_ink(ink)
    , m_painter(painter)
{
}

void FramePainter::paintWords()
{
    paintTitle();
    paintLegend();
    if (m_scene.isEmpty())
        paintEmptyText();
    else
        for (const auto& label : {m_scene.layout.xLabel, m_scene.layout.yLabel})
            if (label)
                FigureInk::write(m_painter, *label, m_ink.muted());
}

void FramePainter::paintTitle()
{
    const figures::FigureLayout& layout = m_scene.layout;
    for (const figures::PlacedText& line : layout.title)
        FigureInk::write(m_painter, line, m_ink.ink(), Words::Title);
    for (const figures::PlacedText& line : layout.notes)
        FigureInk::write(m_painter, line, m_ink.ink());
    if (layout.droppedNote)
        FigureInk::write(m_painter, *layout.droppedNote, m_ink.muted());
}

void FramePainter::paintEmptyText()
{
    m_painter.setPen(m_ink.emptyFramePen());
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRoundedRect(rectF(m_scene.layout.plot), kEmptyCorner, kEmptyCorner);
    for (const figures::PlacedText& line : m_scene.layout.emptyText)
        FigureInk::write(m_painter, line, m_ink.ink());
}

void FramePainter::paintLegend()
{
    for (std::size_t i = 0; i < m_scene.shown->legend.size(); ++i) {
        paintSymbol(m_scene.shown->legend[i], m_scene.layout.legend[i].symbol);
        FigureInk::write(m_painter, m_scene.layout.legend[i].text, m_ink.ink());
    }
}

void FramePainter::paintSymbol(const figures::LegendEntry& entry, const figures::Box& box)
{
    const figures::Pixel middle = box.centre();
    const QLineF across(box.x, middle.y, box.right(), middle.y);
    const bool timeline = m_scene.shown->kind == "timeline";
    switch (entry.symbol) {
    case Symbol::Mark:
        return paintShape(
            m_painter, m_ink, entry.look, middle, figures::kMarkRadius, timeline ? Outline::Solid : Outline::Usual);
    case Symbol::Error:
        return paintErrorBar(m_painter, m_ink.ink(), middle.x, box.y, box.bottom());
    case Symbol::Front:
        m_painter.setPen(m_ink.frontPen(entry.look));
        return m_painter.drawLine(across);
    case Symbol::Counter:
        m_painter.setPen(m_ink.counterPen(entry.look));
        return m_painter.drawLine(across);
    case Symbol::Spread:
        return m_painter.fillRect(rectF(box), m_ink.spread(entry.look.series));
    case Symbol::Faded:
        paintBar(m_painter, m_ink, box, entry.look);
        return m_painter.fillRect(QRectF(middle.x, box.y, box.width / 2, box.height), m_ink.fade());
    case Symbol::Bar:
        return paintBar(m_painter, m_ink, box, entry.look);
    case Symbol::Flag:
        return paintFlagRing(m_painter, m_ink, *entry.flag, middle, kLegendRadius + 1.5);
    }
}

void FramePainter::paintAxes()
{
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing, false); // smoothed, a line on whole px is two grey ones
    paintGrid();
    const figures::Box& plot = m_scene.layout.plot;
    m_painter.setPen(QPen(m_ink.muted(), 1));
    m_painter.drawLine(QPointF(plot.x, plot.bottom()), QPointF(plot.right(), plot.bottom()));
    if (!m_scene.namesAreAboveRows())
        m_painter.drawLine(QPointF(plot.x, plot.bottom()), QPointF(plot.x, plot.y));
    m_painter.restore();
    paintTickWords();
}

void FramePainter::paintGrid()
{
    const figures::Box& plot = m_scene.layout.plot;
    m_painter.setPen(QPen(m_ink.grid(), 1));
    for (const figures::PlacedTick& tick : m_scene.layout.xTicks)
        m_painter.drawLine(QPointF(tick.at, plot.y), QPointF(tick.at, plot.bottom()));
    if (m_scene.y.scale != figures::Scale::Category)
        for (const figures::PlacedTick& tick : m_scene.layout.yTicks)
            m_painter.drawLine(QPointF(plot.x, tick.at), QPointF(plot.right(), tick.at));
}

void FramePainter::paintTickWords()
{
    for (const figures::PlacedTick& tick : m_scene.layout.xTicks)
        FigureInk::write(m_painter, tick.text, m_ink.muted());
    if (m_scene.namesAreAboveRows())
        return;
    for (const figures::PlacedTick& tick : m_scene.layout.yTicks)
        FigureInk::write(m_painter, tick.text, m_ink.tickWords(m_scene.y));
}

void FramePainter::paintStrip()
{
    const figures::FigureLayout& layout = m_scene.layout;
    if (layout.stripTitle)
        FigureInk::write(m_painter, *layout.stripTitle, m_ink.ink(), Words::Strong);
    for (std::size_t i = 0; i < layout.strip.size(); ++i) {
        const figures::PlacedStripEntry& placed = layout.strip[i];
        paintShape(m_painter, m_ink, m_scene.shown->strip[i].look, placed.symbol, figures::kMarkRadius, Outline::Usual);
        if (placed.label)
            FigureInk::write(m_painter, *placed.label, m_ink.ink());
        if (placed.reason)
            FigureInk::write(m_painter, *placed.reason, m_ink.muted());
    }
    if (layout.stripNote)
        FigureInk::write(m_painter, *layout.stripNote, m_ink.muted());
}

} // namespace headroom::ui
