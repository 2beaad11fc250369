// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/FigureStrokes.h"

#include "ui/look/CategoryBrush.h"

#include <QFontMetricsF>

#include <cmath>

namespace headroom::ui {
namespace {

using figures::Box;
using figures::Flag;
using figures::Look;
using figures::Pixel;
using figures::PlacedText;
using figures::Provenance;
using figures::Segment;
using figures::Shape;

constexpr double kCap = 3;
constexpr double kHatchStep = 6;
constexpr double kHatchWidth = 2.4;
constexpr double kTextureScale = 4; ///< pixels a px

QPointF point(const Pixel& pixel)
{
    return {pixel.x, pixel.y};
}

QRectF rect(const Box& box)
{
    return {box.x, box.y, box.width, box.height};
}

QPolygonF corners(Shape shape, const Pixel& at, double radius)
{
    const auto scaled = [&](std::initializer_list<QPointF> units) {
        QPolygonF polygon;
        for (const QPointF& unit : units)
            polygon.append(point(at) + radius * unit);
        return polygon;
    };
    switch (shape) {
    case Shape::Square:
        return scaled({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case Shape::Diamond:
        return scaled({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
    case Shape::TriangleUp:
        return scaled({{0, -1.25}, {1.2, 0.85}, {-1.2, 0.85}});
    case Shape::TriangleDown:
        return scaled({{0, 1.25}, {1.2, -0.85}, {-1.2, -0.85}});
    case Shape::Circle:
    case Shape::Cross:
        break;
    }
    return {};
}

QFont fontFor(FigureStrokes::Words words)
{
    QFont font;
    font.setPixelSize(static_cast<int>(words == FigureStrokes::Words::Title ? figures::kTitlePx : figures::kFontPx));
    font.setWeight(words == FigureStrokes::Words::Plain ? QFont::Normal : QFont::DemiBold);
    return font;
}

} // namespace

FigureStrokes::FigureStrokes(QPainter& painter, figures::Palette palette)
    : m_painter(painter)
    , m_palette(std::move(palette))
{
}

QColor FigureStrokes::series(const Look& look) const
{
    return colour(m_palette.series.at(look.series % m_palette.series.size()));
}

void FigureStrokes::setPen(const QColor& colour, double width, const QList<double>& dashes)
{
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!dashes.isEmpty()) {
        QList<qreal> pattern;
        for (const double dash : dashes)
            pattern.append(dash / width);
        pen.setDashPattern(pattern);
    }
    m_painter.setPen(pen);
    m_painter.setBrush(Qt::NoBrush);
}

void FigureStrokes::text(const PlacedText& placed, const QColor& colour, Words words)
{
    const QString content = QString::fromStdString(placed.text);
    m_painter.setFont(fontFor(words));
    m_painter.setPen(colour);
    const double width = QFontMetricsF(m_painter.font()).horizontalAdvance(content);
    const double share = placed.anchor == figures::TextAnchor::Start ? 0
        : placed.anchor == figures::TextAnchor::Middle               ? 0.5
                                                                     : 1;
    m_painter.drawText(QPointF(placed.x - share * width, placed.y), content);
}

void FigureStrokes::groundedText(const PlacedText& placed, const QColor& colour)
{
    const Box box = placed.box();
    m_painter.fillRect(QRectF(box.x - 2, box.y, box.width + 2, box.height), surface());
    text(placed, colour);
}

void FigureStrokes::line(const Segment& line, const QColor& colour, double width, const QList<double>& dashes)
{
    setPen(colour, width, dashes);
    m_painter.drawLine(point(line.from), point(line.to));
}

void FigureStrokes::path(const QPolygonF& path, const QColor& colour, double width, const QList<double>& dashes)
{
    setPen(colour, width, dashes);
    m_painter.drawPolyline(path);
}

void FigureStrokes::area(const QPolygonF& outline, QColor colour, double opacity)
{
    colour.setAlphaF(static_cast<float>(opacity));
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(colour);
    m_painter.drawPolygon(outline);
}

void FigureStrokes::ground(const QPolygonF& outline, const Look& look)
{
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(categoryBrush(m_palette, look.series, kTextureScale));
    m_painter.drawPolygon(outline);
}

void FigureStrokes::labelOn(const Look& ground, const PlacedText& placed)
{
    const Box box = placed.box();
    m_painter.fillRect(rect(box), colour(m_palette.categories.at(ground.series % figures::kCategoryColours)));
    text(placed, colour(m_palette.onCategory));
}

void FigureStrokes::box(const Box& box, const QColor& fill, const QColor& outline)
{
    m_painter.setPen(outline.isValid() ? QPen(outline, 1) : QPen(Qt::NoPen));
    m_painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    m_painter.drawRect(rect(box));
}

// Measured ones are filled, predicted ones hollow and dashed.
void FigureStrokes::shape(const Look& look, const Pixel& at, double radius)
{
    const QColor colour = series(look);
    if (look.shape == Shape::Cross) {
        const double arm = radius * 0.8;
        line({{at.x - arm, at.y - arm}, {at.x + arm, at.y + arm}}, colour, 2);
        return line({{at.x - arm, at.y + arm}, {at.x + arm, at.y - arm}}, colour, 2);
    }
    if (look.provenance == Provenance::Predicted)
        setPen(colour, 1.75, {3, 1.6});
    else
        setPen(surface(), 1, {});
    m_painter.setBrush(look.provenance == Provenance::Predicted ? surface() : colour);
    if (look.shape == Shape::Circle)
        m_painter.drawEllipse(point(at), radius, radius);
    else
        m_painter.drawPolygon(corners(look.shape, at, radius));
}

void FigureStrokes::ring(Flag flag, const Pixel& at, double radius)
{
    switch (flag) {
    case Flag::Pressured:
        setPen(ink(), 1.4, {5, 2.5});
        break;
    case Flag::NotSteady:
        setPen(ink(), 1.4, {1.4, 2.2});
        break;
    case Flag::NoEffect:
        setPen(ink(), 1.4, {});
        break;
    case Flag::Implausible:
        setPen(ink(), 2, {});
        m_painter.drawRect(QRectF(at.x - radius, at.y - radius, 2 * radius, 2 * radius));
        return;
    }
    m_painter.drawEllipse(point(at), radius, radius);
}

void FigureStrokes::errorBar(const QColor& colour, double x, double top, double bottom)
{
    line({{x, top}, {x, bottom}}, colour, 1.5);
    line({{x - kCap, top}, {x + kCap, top}}, colour, 1.5);
    line({{x - kCap, bottom}, {x + kCap, bottom}}, colour, 1.5);
}

void FigureStrokes::bar(const Box& box, const Look& look)
{
    if (look.hues == figures::Hues::Categories) {
        ground(QRectF(rect(box)), look);
        return this->box(box, {}, surface());
    }
    const QColor colour = series(look);
    if (look.provenance == Provenance::Measured)
        return this->box(box, colour, surface());
    this->box(box, surface(), {});
    hatch(box, colour);
    this->box(box, {}, colour);
}

// Lines of 45 degrees, cut off at the edges: a brush with a pattern would be as fine as the device, not as the drawing.
void FigureStrokes::hatch(const Box& box, const QColor& colour)
{
    m_painter.save();
    m_painter.setClipRect(rect(box), Qt::IntersectClip);
    setPen(colour, kHatchWidth, {});
    const double step = kHatchStep * std::sqrt(2.0);
    // Counted from the origin, so that the pieces of a bar continue each other.
    for (double at = std::floor((box.x + box.y) / step) * step; at <= box.right() + box.bottom(); at += step)
        m_painter.drawLine(QPointF(at - box.y, box.y), QPointF(at - box.bottom(), box.bottom()));
    m_painter.restore();
}

} // namespace headroom::ui
