// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/SvgShapes.h"

#include "experiments/figures/Palette.h"

#include <fmt/format.h>

#include <initializer_list>

namespace headroom::figures {
namespace {

constexpr double kCap = 3;

std::string closedPath(const Pixel& at, double radius, std::initializer_list<Pixel> corners)
{
    std::string path;
    for (const Pixel& corner : corners)
        path += fmt::format(
            "{}{} {}", path.empty() ? "M" : "L", pixels(at.x + radius * corner.x), pixels(at.y + radius * corner.y));
    return path + "Z";
}

std::string shapePath(Shape shape, const Pixel& at, double radius)
{
    switch (shape) {
    case Shape::Square:
        return closedPath(at, radius, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case Shape::Diamond:
        return closedPath(at, radius, {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
    case Shape::TriangleUp:
        return closedPath(at, radius, {{0, -1.25}, {1.2, 0.85}, {-1.2, 0.85}});
    case Shape::TriangleDown:
        return closedPath(at, radius, {{0, 1.25}, {1.2, -0.85}, {-1.2, -0.85}});
    case Shape::Circle:
    case Shape::Cross:
        break;
    }
    return {};
}

} // namespace

std::string styleClass(Provenance provenance)
{
    return name(provenance == Provenance::Measured ? provenance : Provenance::Predicted);
}

std::string classes(const Look& look)
{
    if (look.hues == Hues::Categories)
        return fmt::format("{} c{}", styleClass(look.provenance), look.series % kCategoryColours);
    return fmt::format("{} s{}", styleClass(look.provenance), look.series % kSeriesColours);
}

void writeShape(XmlWriter& xml, Shape shape, const Pixel& at, double radius)
{
    if (shape == Shape::Circle)
        return xml.empty("circle", {{"class", "shape"}, {"cx", at.x}, {"cy", at.y}, {"r", radius}});
    if (shape != Shape::Cross)
        return xml.empty("path", {{"class", "shape"}, {"d", shapePath(shape, at, radius)}});
    const double arm = radius * 0.8;
    writeLine(xml, "cross", {{at.x - arm, at.y - arm}, {at.x + arm, at.y + arm}});
    writeLine(xml, "cross", {{at.x - arm, at.y + arm}, {at.x + arm, at.y - arm}});
}

void writeFlagRing(XmlWriter& xml, Flag flag, const Pixel& at, double radius)
{
    const std::string cssClass = "ring " + name(flag);
    if (flag != Flag::Implausible)
        return xml.empty("circle", {{"class", cssClass}, {"cx", at.x}, {"cy", at.y}, {"r", radius}});
    xml.empty("rect",
        {{"class", cssClass}, {"x", at.x - radius}, {"y", at.y - radius}, {"width", 2 * radius},
            {"height", 2 * radius}});
}

void writeLine(XmlWriter& xml, const std::string& cssClass, const Segment& segment)
{
    xml.empty("line",
        {{"class", cssClass}, {"x1", segment.from.x}, {"y1", segment.from.y}, {"x2", segment.to.x},
            {"y2", segment.to.y}});
}

void writeErrorBar(XmlWriter& xml, const std::string& cssClass, double x, double top, double bottom)
{
    writeLine(xml, cssClass, {{x, top}, {x, bottom}});
    writeLine(xml, cssClass, {{x - kCap, top}, {x + kCap, top}});
    writeLine(xml, cssClass, {{x - kCap, bottom}, {x + kCap, bottom}});
}

} // namespace headroom::figures
