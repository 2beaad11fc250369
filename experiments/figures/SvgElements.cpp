// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/SvgElements.h"

#include "experiments/figures/Palette.h"
#include "experiments/figures/SvgShapes.h"

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

} // namespace

void writeText(XmlWriter& xml, const std::string& cssClass, const PlacedText& text)
{
    xml.element("text", {{"class", cssClass}, {"x", text.x}, {"y", text.y}, {"text-anchor", anchorName(text.anchor)}},
        text.text);
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
    xml.element("title", {}, text);
}

void openFocusable(XmlWriter& xml, const std::string& cssClass, const std::string& trialId, const Hover& hover)
{
    xml.open("g", {{"class", cssClass}, {"data-trial", trialId}, {"tabindex", "0"}});
    writeHover(xml, hover);
}

void writeBar(XmlWriter& xml, const std::string& drawingId, const Box& box, const Look& look)
{
    if (look.provenance == Provenance::Predicted)
        xml.empty("rect",
            {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height},
                {"fill", fmt::format("url(#{}-hatch-{})", drawingId, look.series % kSeriesColours)}});
    xml.empty("rect", {{"class", "bar"}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
}

void writeHatches(XmlWriter& xml, const std::string& drawingId, const Figure& figure)
{
    std::set<std::size_t> series;
    for (const BarSegment& bar : figure.bars)
        if (bar.look.provenance == Provenance::Predicted)
            series.insert(bar.look.series % kSeriesColours);
    if (series.empty())
        return;
    xml.open("defs");
    for (const std::size_t s : series) {
        xml.open("pattern",
            {{"id", fmt::format("{}-hatch-{}", drawingId, s)}, {"class", fmt::format("s{}", s)}, {"width", 6},
                {"height", 6}, {"patternUnits", "userSpaceOnUse"}, {"patternTransform", "rotate(45)"}});
        xml.empty("rect", {{"class", "hatch-ground"}, {"width", 6}, {"height", 6}});
        writeLine(xml, "hatch", {{1.5, 0}, {1.5, 6}});
        xml.close();
    }
    xml.close();
}

} // namespace headroom::figures
