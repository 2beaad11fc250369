// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/ShapePainter.h"

#include "experiments/figures/Palette.h"

#include <QLineF>
#include <QPolygonF>

#include <cmath>

namespace headroom::ui {
namespace {

using figures::Shape;

constexpr double kCap = 3;
constexpr double kTextureScale = 2; ///< pixels a px, so that they are sharp on fine screens and paper

QPainterPath polygon(const figures::Pixel& at, double radius, std::initializer_list<figures::Pixel> corners)
{
    QPolygonF points;
    for (const figures::Pixel& corner : corners)
        points << QPointF(at.x + radius * corner.x, at.y + radius * corner.y);
    QPainterPath path;
    path.addPolygon(points);
    path.closeSubpath();
    return path;
}

QPainterPath circle(const figures::Pixel& at, double radius)
{
    QPainterPath path;
    path.addEllipse(pointF(at), radius, radius);
    return path;
}

QPainterPath cross(const figures::Pixel& at, double radius)
{
    const double arm = radius * 0.8;
    QPainterPath path(QPointF(at.x - arm, at.y - arm));
    path.lineTo(at.x + arm, at.y + arm);
    path.moveTo(at.x - arm, at.y + arm);
    path.lineTo(at.x + arm, at.y - arm);
    return path;
}

QPen outlinePen(const QColor& colour, Outline outline)
{
    switch (outline) {
    case Outline::Usual:
        return dashed(colour, 1.75, {3, 1.6});
    case Outline::Minor:
        return dashed(colour, 1.4, {2.2, 1.3});
    case Outline::Solid:
        break;
    }
    return QPen(colour, 1.75);
}

} // namespace

QPainterPath shapePath(Shape shape, const figures::Pixel& at, double radius)
{
    switch (shape) {
    case Shape::Square:
        return polygon(at, radius, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case Shape::Diamond:
        return polygon(at, radius, {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
    case Shape::TriangleUp:
        return polygon(at, radius, {{0, -1.25}, {1.2, 0.85}, {-1.2, 0.85}});
    case Shape::TriangleDown:
        return polygon(at, radius, {{0, 1.25}, {1.2, -0.85}, {-1.2, -0.85}});
    case Shape::Cross:
        return cross(at, radius);
    case Shape::Circle:
        break;
    }
    return circle(at, radius);
}

QPainterPath ringPath(figures::Flag flag, const figures::Pixel& at, double radius)
{
    if (flag != figures::Flag::Implausible)
        return circle(at, radius);
    QPainterPath path;
    path.addRect(at.x - radius, at.y - radius, 2 * radius, 2 * radius);
    return path;
}

Outline outlineOf(const figures::Mark& mark, const figures::Figure& figure)
{
    if (figure.kind == "timeline")
        return Outline::Solid;
    return mark.wish == figures::LabelWish::None ? Outline::Minor : Outline::Usual;
}

ShapeInk shapeInk(const FigureInk& ink, const figures::Look& look, Outline outline)
{
    const QColor& colour = ink.series(look.series);
    if (look.shape == Shape::Cross)
        return {QPen(colour, 2, Qt::SolidLine, Qt::FlatCap), Qt::NoBrush};
    if (look.provenance != figures::Provenance::Measured)
        return {outlinePen(colour, outline), ink.surface()};
    return {QPen(ink.surface(), 1), colour};
}

void paintShape(QPainter& painter, const FigureInk& ink, const figures::Look& look, const figures::Pixel& at,
    double radius, Outline outline)
{
    const ShapeInk shape = shapeInk(ink, look, outline);
    painter.setPen(shape.pen);
    painter.setBrush(shape.brush);
    painter.drawPath(shapePath(look.shape, at, radius));
}

void paintFlagRing(QPainter& painter, const FigureInk& ink, figures::Flag flag, const figures::Pixel& at, double radius)
{
    painter.setPen(ink.ringPen(flag));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(ringPath(flag, at, radius));
}

void paintErrorBar(QPainter& painter, const QColor& colour, double x, double top, double bottom)
{
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::FlatCap));
    const std::array<QLineF, 3> lines{
        QLineF(x, top, x, bottom), QLineF(x - kCap, top, x + kCap, top), QLineF(x - kCap, bottom, x + kCap, bottom)};
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

void paintBar(QPainter& painter, const FigureInk& ink, const figures::Box& box, const figures::Look& look)
{
    if (look.hues == figures::Hues::Categories) {
        painter.setPen(QPen(ink.surface(), 1, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(ink.ground(look.series, kTextureScale));
        return painter.drawRect(rectF(box));
    }
    const QColor& colour = ink.series(look.series);
    const bool isModelled = look.provenance != figures::Provenance::Measured;
    QColor ground = colour;
    ground.setAlphaF(isModelled ? static_cast<float>(figures::kPaleBar) : 1.0F);
    painter.fillRect(rectF(box), ground);
    painter.setPen(isModelled ? dashed(colour, 1.25, {4, 2.5})
                              : QPen(ink.surface(), 1, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rectF(box));
}

} // namespace headroom::ui
