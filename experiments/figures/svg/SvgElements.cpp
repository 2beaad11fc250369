// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/SvgElements.h"

#include "core/base/ShownText.h"
#include "experiments/figures/CategoryLook.h"
#include "experiments/figures/Palette.h"
#include "experiments/figures/svg/SvgShapes.h"

#include <fmt/format.h>

#include <set>

namespace headroom::figures {
namespace {

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
        writeLine(xml, "texture", line);
    for (const Pixel& dot : dotsOf(texture))
        xml.empty("circle", {{"class", "dot"}, {"cx", dot.x}, {"cy", dot.y}, {"r", kTextureDotPx}});
    xml.close();
}

} // namespace

void writeText(XmlWriter& xml, const std::string& cssClass, const PlacedText& text)
{
    const std::string words = config::withoutDirections(text.text);
    if (text.anchor == TextAnchor::Start) // as texts are without a word
        return xml.element("text", {{"class", cssClass}, {"x", text.x}, {"y", text.y}}, words);
    xml.element(
        "text", {{"class", cssClass}, {"x", text.x}, {"y", text.y}, {"text-anchor", anchorName(text.anchor)}}, words);
}

void writeGroundedText(XmlWriter& xml, const std::string& cssClass, const PlacedText& text)
{
    const Box box = text.box();
    xml.empty("rect",
        {{"class", "surface"}, {"x", box.x - 2}, {"y", box.y}, {"width", box.width + 2}, {"height", box.height}});
    writeText(xml, cssClass, text);
}

void writeHover(XmlWriter& xml, const Hover& hover)
{
    std::string text = hover.title;
    for (const std::string& line : hover.lines)
        text += "\n" + line;
    xml.element("title", {}, config::withoutDirections(text));
}

void openFocusable(XmlWriter& xml, const std::string& cssClass, const std::string& trialId, const Hover& hover)
{
    xml.open("g", {{"class", cssClass}, {"data-trial", trialId}, {"tabindex", "0"}});
    writeHover(xml, hover);
}

std::string groundClass(const std::string& cssClass, const Look& look)
{
    return textureOf(look.series) == Texture::Plain ? cssClass + " ground" : cssClass;
}

std::string groundOf(const std::string& patterns, const Look& look)
{
    if (textureOf(look.series) == Texture::Plain)
        return "none";
    return fmt::format("url(#{}-texture-{})", patterns, look.series % kCategoryColours);
}

namespace {

// A plain ground has its colour from the style sheet.
void writePart(XmlWriter& xml, const std::string& patterns, const Box& box, const Look& look)
{
    const std::string cssClass = groundClass("part", look);
    if (textureOf(look.series) == Texture::Plain)
        return xml.empty(
            "rect", {{"class", cssClass}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
    xml.empty("rect",
        {{"class", cssClass}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height},
            {"fill", groundOf(patterns, look)}});
}

} // namespace

void writeBar(XmlWriter& xml, const std::string& patterns, const Box& box, const Look& look)
{
    if (look.hues == Hues::Categories)
        return writePart(xml, patterns, box, look);
    xml.empty("rect", {{"class", "bar"}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
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
