// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/drawing/ShapeDrawing.h"

namespace headroom::figures {
namespace {

constexpr double kCap = 3; ///< of an error bar

std::vector<Pixel> around(const Pixel& middle, double radius, std::vector<Pixel> corners)
{
    for (Pixel& corner : corners)
        corner = {middle.x + radius * corner.x, middle.y + radius * corner.y};
    return corners;
}

} // namespace

std::vector<Pixel> cornersOf(Shape shape)
{
    switch (shape) {
    case Shape::Square:
        return {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}};
    case Shape::Diamond:
        return {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}};
    case Shape::TriangleUp:
        return {{0, -1.25}, {1.2, 0.85}, {-1.2, 0.85}};
    case Shape::TriangleDown:
        return {{0, 1.25}, {1.2, -0.85}, {-1.2, -0.85}};
    case Shape::Circle:
    case Shape::Cross:
        break;
    }
    return {};
}

Outline usualOutline(const Figure& figure)
{
    return figure.kind == "timeline" ? Outline::Solid : Outline::Usual;
}

Outline outlineOf(const Mark& mark, const Figure& figure)
{
    const Outline usual = usualOutline(figure);
    return usual == Outline::Usual && mark.wish == LabelWish::None ? Outline::Minor : usual;
}

void drawShape(Canvas& canvas, const Look& look, const Pixel& at, double radius, Outline outline)
{
    const Ink ink{Role::Shape, look, outline};
    if (look.shape == Shape::Circle)
        return canvas.circle(ink, at, radius);
    if (look.shape != Shape::Cross)
        return canvas.polygon(ink, around(at, radius, cornersOf(look.shape)));
    const double arm = radius * kCrossArm;
    canvas.line(ink, {{at.x - arm, at.y - arm}, {at.x + arm, at.y + arm}});
    canvas.line(ink, {{at.x - arm, at.y + arm}, {at.x + arm, at.y - arm}});
}

void drawRing(Canvas& canvas, Flag flag, const Pixel& at, double radius)
{
    const Ink ink{Role::Ring, {}, Outline::Usual, flag};
    if (flag == Flag::Implausible)
        canvas.box(ink, {at.x - radius, at.y - radius, 2 * radius, 2 * radius});
    else
        canvas.circle(ink, at, radius);
}

void drawErrorBar(Canvas& canvas, Role role, const Look& look, double x, double top, double bottom)
{
    canvas.line({role, look}, {{x, top}, {x, bottom}});
    canvas.line({role, look}, {{x - kCap, top}, {x + kCap, top}});
    canvas.line({role, look}, {{x - kCap, bottom}, {x + kCap, bottom}});
}

} // namespace headroom::figures
