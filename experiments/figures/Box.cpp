// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Box.h"

#include <algorithm>
#include <array>

namespace headroom::figures {
namespace {

// Twice the area of a triangle: positive when c lies to the left of the way from a to b.
double turn(const Pixel& a, const Pixel& b, const Pixel& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

} // namespace

Pixel Box::nearestTo(const Pixel& point) const
{
    return {std::clamp(point.x, x, right()), std::clamp(point.y, y, bottom())};
}

bool Box::holds(const Pixel& point) const
{
    return point.x >= x && point.x <= right() && point.y >= y && point.y <= bottom();
}

bool Box::holds(const Box& other) const
{
    return other.x >= x && other.right() <= right() && other.y >= y && other.bottom() <= bottom();
}

bool overlap(const Box& a, const Box& b)
{
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool cross(const Segment& a, const Segment& b)
{
    return turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0
        && turn(b.from, b.to, a.from) * turn(b.from, b.to, a.to) < 0;
}

bool cross(const Segment& segment, const Box& box)
{
    if (box.holds(segment.from) || box.holds(segment.to))
        return true;
    const std::array<Pixel, 4> corners{
        {{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}}};
    for (std::size_t i = 0; i < corners.size(); ++i)
        if (cross(segment, Segment{corners[i], corners[(i + 1) % corners.size()]}))
            return true;
    return false;
}

} // namespace headroom::figures
