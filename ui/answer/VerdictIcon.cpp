// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/VerdictIcon.h"

#include <QPainter>
#include <QPainterPath>

namespace headroom::ui {
namespace {

using Kind = experiments::FitVerdict::Kind;

// Drawn in a square of side 16.
QPainterPath shapeOf(Kind kind)
{
    QPainterPath shape;
    if (kind == Kind::Tight)
        shape.addPolygon(QPolygonF({{8, 1}, {15.6, 14.8}, {0.4, 14.8}, {8, 1}}));
    else if (kind == Kind::DoesNotFit)
        shape.addPolygon(QPolygonF(
            {{5, 0.8}, {11, 0.8}, {15.2, 5}, {15.2, 11}, {11, 15.2}, {5, 15.2}, {0.8, 11}, {0.8, 5}, {5, 0.8}}));
    else
        shape.addEllipse(QRectF(0.8, 0.8, 14.4, 14.4));
    return shape;
}

QPainterPath markOf(Kind kind)
{
    QPainterPath mark;
    if (kind == Kind::Fits) {
        mark.addPolygon(QPolygonF({{4.4, 8.4}, {7, 11}, {11.6, 5.4}}));
    } else if (kind == Kind::DoesNotFit) {
        mark.addPolygon(QPolygonF({{5.2, 5.2}, {10.8, 10.8}}));
        mark.addPolygon(QPolygonF({{10.8, 5.2}, {5.2, 10.8}}));
    } else if (kind == Kind::Tight) {
        mark.addPolygon(QPolygonF({{8, 5.8}, {8, 9.8}}));
        mark.addPolygon(QPolygonF({{8, 12.4}, {8, 12.5}}));
    } else {
        mark.moveTo(5.8, 6.2);
        mark.cubicTo(5.8, 3.4, 10.4, 3.4, 10.4, 6.2);
        mark.cubicTo(10.4, 7.8, 8, 7.8, 8, 9.6);
        mark.addPolygon(QPolygonF({{8, 12.1}, {8, 12.2}}));
    }
    return mark;
}

} // namespace

QColor verdictColour(Kind kind, const Theme& theme)
{
    switch (kind) {
    case Kind::Fits:
        return theme.good();
    case Kind::Tight:
        return theme.warning();
    case Kind::DoesNotFit:
        return theme.alarm();
    case Kind::Unknown:
        break;
    }
    return theme.muted();
}

QPixmap verdictIcon(Kind kind, const Theme& theme, int side, qreal devicePixelRatio)
{
    QPixmap pixmap(QSize(side, side) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(side / 16.0, side / 16.0);
    painter.fillPath(shapeOf(kind), verdictColour(kind, theme));
    painter.strokePath(markOf(kind), QPen(theme.surface(), 1.9, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    return pixmap;
}

} // namespace headroom::ui
