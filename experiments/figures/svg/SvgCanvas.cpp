// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/SvgCanvas.h"

#include "core/base/ShownText.h"
#include "experiments/figures/CategoryLook.h"
#include "experiments/figures/Palette.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

namespace headroom::figures {
namespace {

constexpr double kFrameCorner = 4;

/// The path of a step line, "M1 2h3v4": a step needs one number, and a short one, as it counts from the one before.
/// Places are whole steps of the grid, so that nothing adds up; what moves by less than half of one is left out.
class StepPath {
public:
    /// `grid` is in px.
    explicit StepPath(double grid)
        : m_grid(grid)
    {
    }

    void to(double x, double y);

    std::string text() const { return m_path + pending(); }
    std::string closed() const { return text() + "z"; }

private:
    std::string px(std::int64_t steps) const;
    std::string pending() const;
    void moveBy(std::int64_t right, std::int64_t down);

    double m_grid;
    std::string m_path;
    std::int64_t m_x = 0; ///< in steps of the grid
    std::int64_t m_y = 0;
    std::int64_t m_right = 0; ///< not written yet: what goes on in the same direction is one step
    std::int64_t m_down = 0;
};

// "-.5": a number needs no zero before its point.
std::string StepPath::px(std::int64_t steps) const
{
    std::string text = pixels(static_cast<double>(steps) * m_grid);
    if (const auto zero = text.find("0."); zero == 0 || (zero == 1 && text.front() == '-'))
        text.erase(zero, 1);
    return text;
}

std::string StepPath::pending() const
{
    if (m_right != 0 && m_down != 0)
        return "l" + px(m_right) + " " + px(m_down);
    if (m_right != 0)
        return "h" + px(m_right);
    return m_down != 0 ? "v" + px(m_down) : std::string();
}

void StepPath::to(double x, double y)
{
    const auto column = static_cast<std::int64_t>(std::llround(x / m_grid));
    const auto row = static_cast<std::int64_t>(std::llround(y / m_grid));
    if (m_path.empty())
        m_path = "M" + px(column) + " " + px(row);
    else
        moveBy(column - m_x, row - m_y);
    m_x = column;
    m_y = row;
}

void StepPath::moveBy(std::int64_t right, std::int64_t down)
{
    const bool goesOnRight = m_down == 0 && down == 0 && m_right * right >= 0;
    const bool goesOnDown = m_right == 0 && right == 0 && m_down * down >= 0;
    if (!goesOnRight && !goesOnDown) {
        m_path += pending();
        m_right = 0;
        m_down = 0;
    }
    m_right += right;
    m_down += down;
}

// "predicted" is all that was not measured: the style sheet tells these two apart.
std::string styleClass(Provenance provenance)
{
    return figures::name(provenance == Provenance::Measured ? provenance : Provenance::Predicted);
}

// "measured s0", "predicted c4": the classes that colour a thing.
std::string classes(const Look& look)
{
    if (look.hues == Hues::Categories)
        return fmt::format("{} c{}", styleClass(look.provenance), look.series % kCategoryColours);
    return fmt::format("{} s{}", styleClass(look.provenance), look.series % kSeriesColours);
}

bool isPlain(const Look& look)
{
    return textureOf(look.series) == Texture::Plain;
}

// A plain ground has its colour from the style sheet.
std::string groundOf(const std::string& patterns, const Look& look)
{
    return isPlain(look) ? "none" : fmt::format("url(#{}-texture-{})", patterns, look.series % kCategoryColours);
}

std::string classOf(const Ink& ink)
{
    static constexpr std::array<const char*, 19> kClasses{"surface", "grid", "axis", "frame", "reference", "front",
        "counter", "under", "spread", "faded", "layer", "bar", "", "shape", "error", "error plain", "ring", "leader",
        "halo"};
    const std::string cssClass = kClasses.at(static_cast<std::size_t>(ink.role));
    if (ink.role == Role::Front)
        return cssClass + " " + styleClass(ink.look.provenance);
    if (ink.role == Role::Ring)
        return cssClass + " " + figures::name(ink.flag);
    const bool isOfCategory = ink.look.hues == Hues::Categories;
    if (ink.role == Role::Layer || (ink.role == Role::Bar && isOfCategory))
        return (ink.role == Role::Bar ? "part" : cssClass) + (isPlain(ink.look) ? " ground" : "");
    return cssClass;
}

std::string classOf(TextRole role)
{
    static constexpr std::array<const char*, 17> kClasses{"title", "note", "small", "empty", "legend-label",
        "tick-label", "axis-label", "reference-label", "span-label", "layer-label", "row-name", "row-text", "label",
        "strip-title", "strip-label", "reason", "sheet-text"};
    return kClasses.at(static_cast<std::size_t>(role));
}

std::string anchorName(TextAnchor anchor)
{
    switch (anchor) {
    case TextAnchor::Start:
        return "start";
    case TextAnchor::Middle:
        return "middle";
    case TextAnchor::End:
        return "end";
    }
    return {};
}

std::vector<Look> filledLooks(const Figure& figure)
{
    std::vector<Look> looks;
    for (const BarSegment& bar : figure.bars)
        looks.push_back(bar.look);
    for (const Layer& layer : figure.layers)
        looks.push_back(layer.look);
    for (const LegendEntry& entry : figure.legend)
        if (entry.symbol == Symbol::Bar || entry.symbol == Symbol::Faded)
            looks.push_back(entry.look);
    return looks;
}

void writeTexture(XmlWriter& xml, const std::string& patterns, std::size_t category)
{
    const Texture texture = textureOf(category);
    xml.open("pattern",
        {{"id", fmt::format("{}-texture-{}", patterns, category)}, {"class", fmt::format("c{}", category)},
            {"width", kTexturePx}, {"height", kTexturePx}, {"patternUnits", "userSpaceOnUse"}});
    xml.empty("rect", {{"class", "ground"}, {"width", kTexturePx}, {"height", kTexturePx}});
    for (const Segment& line : linesOf(texture))
        xml.empty("line",
            {{"class", "texture"}, {"x1", line.from.x}, {"y1", line.from.y}, {"x2", line.to.x}, {"y2", line.to.y}});
    for (const Pixel& dot : dotsOf(texture))
        xml.empty("circle", {{"class", "dot"}, {"cx", dot.x}, {"cy", dot.y}, {"r", kTextureDotPx}});
    xml.close();
}

} // namespace

SvgCanvas::SvgCanvas(XmlWriter& xml, SvgTerms terms)
    : m_xml(xml)
    , m_terms(std::move(terms))
{
}

void SvgCanvas::open(const DrawnGroup& group)
{
    switch (group.kind) {
    case DrawnGroup::Kind::Look:
        return m_xml.open("g", {{"class", classes(group.look)}});
    case DrawnGroup::Kind::Legend:
        return m_xml.open("g", {{"class", "legend"}});
    case DrawnGroup::Kind::Axes:
        return m_xml.open("g", {{"class", "axes"}});
    case DrawnGroup::Kind::Layer:
        return m_xml.open("g", {{"class", classes(group.look)}, {"data-layer", group.name}});
    case DrawnGroup::Kind::Span:
        m_xml.open(
            "g", {{"class", fmt::format("span s{}", group.look.series % kSeriesColours)}, {"data-phase", group.name}});
        return writeHover(group);
    case DrawnGroup::Kind::Mark:
        return openFocusable("mark " + classes(group.look) + (group.outline == Outline::Minor ? " minor" : ""), group);
    case DrawnGroup::Kind::Words:
        return openFocusable("mark", group);
    case DrawnGroup::Kind::Figure:
        return m_xml.open("g",
            {{"class", "headroom-figure " + group.name}, {"transform", fmt::format("translate(0 {})", pixels(group.y))},
                {"role", "img"}, {"aria-label", group.label}});
    }
}

void SvgCanvas::close()
{
    m_xml.close();
}

void SvgCanvas::openFocusable(const std::string& cssClass, const DrawnGroup& group)
{
    m_xml.open("g", {{"class", cssClass}, {"data-trial", group.name}, {"tabindex", "0"}});
    writeHover(group);
}

void SvgCanvas::writeHover(const DrawnGroup& group)
{
    std::string words = group.hover->title;
    for (const std::string& line : group.hover->lines)
        words += "\n" + line;
    m_xml.element("title", {}, config::withoutDirections(words));
}

void SvgCanvas::line(const Ink& ink, const Segment& segment)
{
    m_xml.empty("line",
        {{"class", ink.role == Role::Shape ? "cross" : classOf(ink)}, {"x1", segment.from.x}, {"y1", segment.from.y},
            {"x2", segment.to.x}, {"y2", segment.to.y}});
}

void SvgCanvas::path(const Ink& ink, const std::vector<Pixel>& points, Ends ends)
{
    StepPath path(m_terms.gridPx);
    for (const Pixel& point : points)
        path.to(point.x, point.y);
    const std::string way = ends == Ends::Closed ? path.closed() : path.text();
    if (ink.role == Role::Layer)
        m_xml.empty("path", {{"class", classOf(ink)}, {"fill", groundOf(m_terms.patterns, ink.look)}, {"d", way}});
    else
        m_xml.empty("path", {{"class", classOf(ink)}, {"d", way}});
}

void SvgCanvas::polygon(const Ink& ink, const std::vector<Pixel>& corners)
{
    std::string path;
    for (const Pixel& corner : corners)
        path += fmt::format("{}{} {}", path.empty() ? "M" : "L", pixels(corner.x), pixels(corner.y));
    m_xml.empty("path", {{"class", classOf(ink)}, {"d", path + "Z"}});
}

void SvgCanvas::box(const Ink& ink, const Box& box)
{
    const std::string cssClass = classOf(ink);
    if (ink.role == Role::Surface && box.x == 0 && box.y == 0)
        return m_xml.empty("rect", {{"class", cssClass}, {"width", box.width}, {"height", box.height}});
    if (ink.role == Role::Span)
        return m_xml.empty("rect", {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
    if (ink.role == Role::Frame)
        return m_xml.empty("rect",
            {{"class", cssClass}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height},
                {"rx", kFrameCorner}});
    if (ink.role == Role::Bar && ink.look.hues == Hues::Categories && !isPlain(ink.look))
        return m_xml.empty("rect",
            {{"class", cssClass}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height},
                {"fill", groundOf(m_terms.patterns, ink.look)}});
    m_xml.empty(
        "rect", {{"class", cssClass}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
}

void SvgCanvas::circle(const Ink& ink, const Pixel& middle, double radius)
{
    m_xml.empty("circle", {{"class", classOf(ink)}, {"cx", middle.x}, {"cy", middle.y}, {"r", radius}});
}

// A rim is of the style sheet.
void SvgCanvas::text(TextRole role, const PlacedText& text, Backing backing, const Look&)
{
    if (backing == Backing::Surface) {
        const Box under = text.box();
        box({Role::Surface}, {under.x - 2, under.y, under.width + 2, under.height});
    }
    const std::string words = config::withoutDirections(text.text);
    if (text.anchor == TextAnchor::Start) // as texts are without a word
        return m_xml.element("text", {{"class", classOf(role)}, {"x", text.x}, {"y", text.y}}, words);
    m_xml.element("text",
        {{"class", classOf(role)}, {"x", text.x}, {"y", text.y}, {"text-anchor", anchorName(text.anchor)}}, words);
}

void writePatterns(XmlWriter& xml, const std::string& patterns, const Figure& figure)
{
    std::set<std::size_t> textures;
    for (const Look& look : filledLooks(figure))
        if (look.hues == Hues::Categories && textureOf(look.series) != Texture::Plain)
            textures.insert(look.series % kCategoryColours);
    if (textures.empty())
        return;
    xml.open("defs");
    for (const std::size_t category : textures)
        writeTexture(xml, patterns, category);
    xml.close();
}

void writeAllPatterns(XmlWriter& xml, const std::string& patterns)
{
    xml.open("defs");
    for (std::size_t category = 0; category < kCategoryColours; ++category)
        if (textureOf(category) != Texture::Plain)
            writeTexture(xml, patterns, category);
    xml.close();
}

} // namespace headroom::figures
