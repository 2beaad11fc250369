// SPDX-License-Identifier: Apache-2.0
#include "ui/results/OutcomeIcon.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace headroom::ui {
namespace {

constexpr double kGrid = 16; ///< the signs are drawn on a grid of this many units

QColor colourOf(const Theme& theme, Sign sign)
{
    switch (sign) {
    case Sign::Done:
        return theme.good();
    case Sign::Warning:
        return theme.warning();
    case Sign::Bad:
        return theme.alarm();
    case Sign::Paused:
    case Sign::Open:
        break;
    }
    return theme.muted();
}

void drawStrokes(QPainter& painter, const QColor& colour, const QList<QPolygonF>& strokes)
{
    painter.setPen(QPen(colour, 1.9, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    for (const QPolygonF& stroke : strokes)
        painter.drawPolyline(stroke);
}

// A disc with a check mark, a triangle with an exclamation mark, a square with a cross, a ring with a bar, an open
// ring.
void draw(QPainter& painter, const Theme& theme, Sign sign)
{
    const QColor colour = colourOf(theme, sign);
    const QColor ground = theme.surface();
    const QPen outline(colour, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(outline);
    const bool isFilled = sign == Sign::Done || sign == Sign::Warning || sign == Sign::Bad;
    painter.setBrush(isFilled ? QBrush(colour) : QBrush(Qt::NoBrush));
    switch (sign) {
    case Sign::Done:
        painter.drawEllipse(QPointF(8, 8), 6, 6);
        return drawStrokes(painter, ground, {{{{5.2, 8.2}, {7.2, 10.2}, {10.8, 6}}}});
    case Sign::Warning:
        painter.drawPolygon(QPolygonF({{8, 2.2}, {14.2, 13.6}, {1.8, 13.6}}));
        return drawStrokes(painter, ground, {{{{8, 6.2}, {8, 9.4}}}, {{{8, 11.9}, {8, 12}}}});
    case Sign::Bad:
        painter.drawRoundedRect(QRectF(2, 2, 12, 12), 2, 2);
        return drawStrokes(painter, ground, {{{{5.4, 5.4}, {10.6, 10.6}}}, {{{10.6, 5.4}, {5.4, 10.6}}}});
    case Sign::Paused:
        painter.drawEllipse(QPointF(8, 8), 6, 6);
        return drawStrokes(painter, colour, {{{{5.2, 8}, {10.8, 8}}}});
    case Sign::Open:
        painter.setPen(QPen(colour, 1.6, Qt::CustomDashLine));
        QPen dashed = painter.pen();
        dashed.setDashPattern({1.6, 1.6});
        painter.setPen(dashed);
        painter.drawEllipse(QPointF(8, 8), 6, 6);
        return;
    }
}

QPixmap pixmap(const Theme& theme, Sign sign, int size)
{
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size / kGrid, size / kGrid);
    draw(painter, theme, sign);
    return pixmap;
}

} // namespace

QIcon signIcon(const Theme& theme, Sign sign)
{
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64})
        for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected}) // looks the same on a selected row
            icon.addPixmap(pixmap(theme, sign, size), mode);
    return icon;
}

Sign signOf(const QString& outcome)
{
    if (outcome == QStringLiteral("completed"))
        return Sign::Done;
    if (outcome == QStringLiteral("out_of_memory") || outcome == QStringLiteral("failed")
        || outcome == QStringLiteral("timed_out"))
        return Sign::Bad;
    return outcome == QStringLiteral("not_run") ? Sign::Open : Sign::Paused;
}

} // namespace headroom::ui
