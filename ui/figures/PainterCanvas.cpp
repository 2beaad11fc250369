// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/PainterCanvas.h"

#include "experiments/figures/drawing/FigureDrawing.h"
#include "experiments/figures/drawing/ShapeDrawing.h"

#include <QLineF>
#include <QPolygonF>

namespace headroom::ui {
namespace {

using figures::Role;
using figures::Shape;
using figures::TextRole;

constexpr double kFrameCorner = 4;
constexpr double kSpan = 0.2;
constexpr double kBarTexture = 2; ///< pixels a px, so that they are sharp on fine screens and paper
constexpr double kLayerTexture = 4;

QPolygonF polygonOf(const std::vector<figures::Pixel>& points)
{
    QPolygonF polygon;
    for (const figures::Pixel& point : points)
        polygon << pointF(point);
    return polygon;
}

QPen outlinePen(const QColor& colour, figures::Outline outline)
{
    switch (outline) {
    case figures::Outline::Usual:
        return dashed(colour, 1.75, {3, 1.6});
    case figures::Outline::Minor:
        return dashed(colour, 1.4, {2.2, 1.3});
    case figures::Outline::Solid:
        break;
    }
    return QPen(colour, 1.75);
}

struct TextInk {
    QColor colour;
    Words words = Words::Plain;
};

TextInk textInk(const FigureInk& ink, TextRole role)
{
    switch (role) {
    case TextRole::Title:
        return {ink.ink(), Words::Title};
    case TextRole::StripTitle:
        return {ink.ink(), Words::Strong};
    case TextRole::ReferenceLabel:
        return {ink.limit(), Words::Strong};
    case TextRole::Small:
    case TextRole::TickLabel:
    case TextRole::AxisLabel:
    case TextRole::Reason:
        return {ink.muted()};
    case TextRole::LayerLabel:
        return {ink.onCategory()};
    default:
        return {ink.ink()};
    }
}

// Smoothed, a line on whole px is two grey ones.
bool isOnWholePx(Role role)
{
    return role == Role::Grid || role == Role::Axis;
}

} // namespace

ShapeInk shapeInk(const FigureInk& ink, const figures::Look& look, figures::Outline outline)
{
    const QColor& colour = ink.series(look.series);
    if (look.shape == Shape::Cross)
        return {QPen(colour, 2, Qt::SolidLine, Qt::FlatCap), Qt::NoBrush};
    if (look.provenance != figures::Provenance::Measured)
        return {outlinePen(colour, outline), ink.surface()};
    return {QPen(ink.surface(), 1), colour};
}

QPainterPath shapePath(Shape shape, double radius)
{
    QPainterPath path;
    if (shape == Shape::Circle) {
        path.addEllipse(QPointF(0, 0), radius, radius);
    } else if (shape == Shape::Cross) {
        const double arm = radius * figures::kCrossArm;
        path.moveTo(-arm, -arm);
        path.lineTo(arm, arm);
        path.moveTo(-arm, arm);
        path.lineTo(arm, -arm);
    } else {
        QPolygonF corners;
        for (const figures::Pixel& corner : figures::cornersOf(shape))
            corners << radius * pointF(corner);
        path.addPolygon(corners);
        path.closeSubpath();
    }
    return path;
}

QPainterPath ringPath(figures::Flag flag, double radius)
{
    QPainterPath path;
    if (flag == figures::Flag::Implausible)
        path.addRect(-radius, -radius, 2 * radius, 2 * radius);
    else
        path.addEllipse(QPointF(0, 0), radius, radius);
    return path;
}

PainterCanvas::PainterCanvas(const FigureInk& ink, QPainter& painter)
    : m_ink(ink)
    , m_painter(painter)
{
}

void PainterCanvas::open(const figures::DrawnGroup& group)
{
    m_isMoved.push_back(group.kind == figures::DrawnGroup::Kind::Figure);
    if (!m_isMoved.back())
        return;
    m_painter.save();
    m_painter.translate(0, group.y);
}

void PainterCanvas::close()
{
    if (m_isMoved.back())
        m_painter.restore();
    m_isMoved.pop_back();
}

QPen PainterCanvas::penOf(const figures::Ink& ink) const
{
    switch (ink.role) {
    case Role::Grid:
        return QPen(m_ink.grid(), 1);
    case Role::Axis:
    case Role::Leader:
        return QPen(m_ink.muted(), 1);
    case Role::Frame:
        return m_ink.emptyFramePen();
    case Role::Reference:
        return m_ink.limitPen();
    case Role::Front:
        return m_ink.frontPen(ink.look);
    case Role::Counter:
        return m_ink.counterPen(ink.look);
    case Role::Span:
        return QPen(m_ink.series(ink.look.series), 1);
    case Role::Shape:
        return shapeInk(m_ink, ink.look, ink.outline).pen;
    case Role::Error:
        return QPen(m_ink.series(ink.look.series), 1.5, Qt::SolidLine, Qt::FlatCap);
    case Role::ErrorSymbol:
        return QPen(m_ink.ink(), 1.5, Qt::SolidLine, Qt::FlatCap);
    case Role::Ring:
        return m_ink.ringPen(ink.flag);
    default:
        return Qt::NoPen;
    }
}

QBrush PainterCanvas::brushOf(const figures::Ink& ink) const
{
    switch (ink.role) {
    case Role::Surface:
        return m_ink.surface();
    case Role::Below:
        return m_ink.under(ink.look.series);
    case Role::Spread:
        return m_ink.spread(ink.look.series);
    case Role::Fade:
        return m_ink.fade();
    case Role::Layer:
        return m_ink.ground(ink.look.series, kLayerTexture);
    case Role::Span:
        return m_ink.series(ink.look.series, kSpan);
    case Role::Shape:
        return shapeInk(m_ink, ink.look, ink.outline).brush;
    default:
        return Qt::NoBrush;
    }
}

void PainterCanvas::setPenAndBrush(const figures::Ink& ink)
{
    m_painter.setPen(penOf(ink));
    m_painter.setBrush(brushOf(ink));
}

void PainterCanvas::line(const figures::Ink& ink, const figures::Segment& segment)
{
    const bool isSmooth = m_painter.testRenderHint(QPainter::Antialiasing);
    m_painter.setRenderHint(QPainter::Antialiasing, isSmooth && !isOnWholePx(ink.role));
    m_painter.setPen(penOf(ink));
    m_painter.drawLine(QLineF(pointF(segment.from), pointF(segment.to)));
    m_painter.setRenderHint(QPainter::Antialiasing, isSmooth);
}

void PainterCanvas::path(const figures::Ink& ink, const std::vector<figures::Pixel>& points, figures::Ends ends)
{
    setPenAndBrush(ink);
    if (ends == figures::Ends::Closed)
        m_painter.drawPolygon(polygonOf(points));
    else
        m_painter.drawPolyline(polygonOf(points));
}

void PainterCanvas::polygon(const figures::Ink& ink, const std::vector<figures::Pixel>& corners)
{
    setPenAndBrush(ink);
    m_painter.drawPolygon(polygonOf(corners));
}

void PainterCanvas::box(const figures::Ink& ink, const figures::Box& box)
{
    const QRectF area = rectF(box);
    if (ink.role == Role::Bar)
        return paintBar(area, ink.look);
    setPenAndBrush(ink);
    if (ink.role == Role::Frame)
        return m_painter.drawRoundedRect(area, kFrameCorner, kFrameCorner);
    if (m_painter.pen().style() == Qt::NoPen)
        return m_painter.fillRect(area, m_painter.brush());
    m_painter.drawRect(area);
}

// A predicted one is pale, with a dashed outline.
void PainterCanvas::paintBar(const QRectF& area, const figures::Look& look)
{
    const QPen rim(m_ink.surface(), 1, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin);
    if (look.hues == figures::Hues::Categories) {
        m_painter.setPen(rim);
        m_painter.setBrush(m_ink.ground(look.series, kBarTexture));
        return m_painter.drawRect(area);
    }
    const bool isModelled = look.provenance != figures::Provenance::Measured;
    m_painter.fillRect(area, m_ink.series(look.series, isModelled ? figures::kPaleBar : 1));
    m_painter.setPen(isModelled ? dashed(m_ink.series(look.series), 1.25, {4, 2.5}) : rim);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(area);
}

void PainterCanvas::circle(const figures::Ink& ink, const figures::Pixel& middle, double radius)
{
    if (ink.role == Role::Halo)
        return;
    setPenAndBrush(ink);
    m_painter.drawEllipse(pointF(middle), radius, radius);
}

void PainterCanvas::text(
    TextRole role, const figures::PlacedText& text, figures::Backing backing, const figures::Look& look)
{
    const TextInk ink = textInk(m_ink, role);
    switch (backing) {
    case figures::Backing::None:
        return FigureInk::write(m_painter, text, ink.colour, ink.words);
    case figures::Backing::Surface:
        return m_ink.writeGrounded(m_painter, text, ink.colour, ink.words);
    case figures::Backing::Rim:
        break;
    }
    const QColor rim = role == TextRole::LayerLabel ? m_ink.category(look.series) : m_ink.surface();
    FigureInk::writeRimmed(m_painter, text, ink.colour, rim, ink.words);
}

void paintFigure(const figures::PlotScene& scene, const FigureInk& ink, QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing);
    PainterCanvas canvas(ink, painter);
    figures::FigureDrawing(scene, canvas).drawAll();
}

} // namespace headroom::ui
