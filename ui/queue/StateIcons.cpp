// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/StateIcons.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace headroom::ui {
namespace {

constexpr int kSide = 16; ///< the glyphs below are drawn on a square of this many units

Glyph glyphOf(TrialState state)
{
    switch (state) {
    case TrialState::Waiting:
        return Glyph::Clock;
    case TrialState::Running:
        return Glyph::Play;
    case TrialState::Paused:
        return Glyph::Pause;
    case TrialState::Completed:
        return Glyph::Check;
    case TrialState::OutOfMemory:
        return Glyph::Full;
    case TrialState::Failed:
        return Glyph::Cross;
    case TrialState::TimedOut:
        return Glyph::TimedOut;
    case TrialState::Cancelled:
        return Glyph::Stop;
    case TrialState::Skipped:
        return Glyph::Skip;
    case TrialState::NotRun:
        return Glyph::Dash;
    }
    return Glyph::Dash;
}

TrialState likeState(RunState state)
{
    switch (state) {
    case RunState::Waiting:
        return TrialState::Waiting;
    case RunState::Running:
        return TrialState::Running;
    case RunState::Paused:
        return TrialState::Paused;
    case RunState::Finished:
        return TrialState::Completed;
    case RunState::Stopped:
        return TrialState::Cancelled;
    case RunState::Failed:
        return TrialState::Failed;
    }
    return TrialState::Waiting;
}

void line(QPainter& painter, std::initializer_list<QPointF> points)
{
    painter.drawPolyline(QPolygonF(QList<QPointF>(points)));
}

void fill(QPainter& painter, const QPolygonF& shape)
{
    QPainterPath path;
    path.addPolygon(shape);
    path.closeSubpath();
    painter.fillPath(path, painter.pen().color());
}

void clock(QPainter& painter)
{
    painter.drawEllipse(QPointF(8, 8), 5.5, 5.5);
    line(painter, {{8, 5}, {8, 8}, {10.2, 9.4}});
}

void arrow(QPainter& painter, double top, double bottom)
{
    const double head = top < bottom ? 4 : -4;
    line(painter, {{8, bottom}, {8, top}});
    line(painter, {{4, top + head}, {8, top}, {12, top + head}});
}

// Most of a circle, with an arrowhead at its end.
void turn(QPainter& painter)
{
    painter.drawArc(QRectF(3, 3, 10, 10), 60 * 16, 290 * 16);
    fill(painter, QPolygonF({{9.2, 1}, {14, 4}, {9, 6.6}}));
}

void drawAction(QPainter& painter, Glyph glyph)
{
    const QColor colour = painter.pen().color();
    if (glyph == Glyph::Up)
        arrow(painter, 3, 13);
    if (glyph == Glyph::Down)
        arrow(painter, 13, 3);
    if (glyph == Glyph::Top) {
        line(painter, {{3, 2.5}, {13, 2.5}});
        arrow(painter, 5.5, 14);
    }
    if (glyph == Glyph::Remove)
        line(painter, {{3, 8}, {13, 8}});
    if (glyph == Glyph::Retry || glyph == Glyph::RetryAll)
        turn(painter);
    if (glyph == Glyph::RetryAll)
        painter.fillRect(QRectF(6.5, 6.5, 3, 3), colour);
    if (glyph == Glyph::StopOne) {
        painter.drawRect(QRectF(2.5, 2.5, 11, 11));
        painter.fillRect(QRectF(5.5, 5.5, 5, 5), colour);
    }
}

void drawState(QPainter& painter, Glyph glyph)
{
    const QColor colour = painter.pen().color();
    if (glyph == Glyph::Clock)
        clock(painter);
    if (glyph == Glyph::Play)
        fill(painter, QPolygonF({{4, 2.5}, {13.5, 8}, {4, 13.5}}));
    if (glyph == Glyph::Pause)
        for (const double x : {3.5, 9.0})
            painter.fillRect(QRectF(x, 3, 3.5, 10), colour);
    if (glyph == Glyph::Check)
        line(painter, {{2.5, 8.5}, {6.5, 12.5}, {13.5, 3.5}});
    if (glyph == Glyph::Full) { // a vessel that overflows
        line(painter, {{2.5, 5}, {2.5, 13.5}, {13.5, 13.5}, {13.5, 5}});
        painter.fillRect(QRectF(4.5, 5, 7, 6.7), colour);
        painter.fillRect(QRectF(7, 1, 2, 3), colour);
    }
    if (glyph == Glyph::Cross) {
        line(painter, {{3.5, 3.5}, {12.5, 12.5}});
        line(painter, {{12.5, 3.5}, {3.5, 12.5}});
    }
    if (glyph == Glyph::TimedOut) {
        clock(painter);
        line(painter, {{2, 14}, {14, 2}});
    }
    if (glyph == Glyph::Stop)
        painter.fillRect(QRectF(3.5, 3.5, 9, 9), colour);
    if (glyph == Glyph::Skip)
        for (const double x : {3.0, 8.0})
            line(painter, {{x, 3.5}, {x + 4.5, 8}, {x, 12.5}});
    if (glyph == Glyph::Dash)
        line(painter, {{4, 8}, {12, 8}});
}

QPixmap drawn(Glyph glyph, const QColor& colour, int scale)
{
    QPixmap pixmap(kSide * scale, kSide * scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    painter.setPen(QPen(colour, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    drawState(painter, glyph);
    drawAction(painter, glyph);
    painter.end();
    return pixmap;
}

} // namespace

QColor StateIcons::colourOf(TrialState state) const
{
    switch (state) {
    case TrialState::Running:
        return m_theme.accent();
    case TrialState::Paused:
    case TrialState::TimedOut:
        return m_theme.warning();
    case TrialState::Completed:
        return m_theme.good();
    case TrialState::OutOfMemory:
    case TrialState::Failed:
        return m_theme.alarm();
    default:
        return m_theme.muted();
    }
}

QIcon StateIcons::icon(TrialState state) const
{
    return icon(glyphOf(state), colourOf(state));
}

QIcon StateIcons::icon(RunState state) const
{
    return icon(likeState(state));
}

QIcon StateIcons::icon(Glyph glyph) const
{
    return icon(glyph, m_theme.ink());
}

QIcon StateIcons::icon(Glyph glyph, const QColor& colour) const
{
    QColor faint = m_theme.muted();
    faint.setAlphaF(0.6F);
    QIcon& icon = m_icons[{glyph, colour.rgb()}];
    if (icon.isNull())
        for (const int scale : {1, 2, 3, 4}) {
            icon.addPixmap(drawn(glyph, colour, scale));
            icon.addPixmap(drawn(glyph, colour, scale), QIcon::Selected);
            icon.addPixmap(drawn(glyph, faint, scale), QIcon::Disabled);
        }
    return icon;
}

} // namespace headroom::ui
