// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/SvgWriter.h"

#include "experiments/figures/svg/DataDrawing.h"
#include "experiments/figures/svg/FigureStyle.h"
#include "experiments/figures/svg/FrameDrawing.h"
#include "experiments/figures/svg/SvgElements.h"

#include <fmt/format.h>

#include <cctype>

namespace headroom::figures {
namespace {

/// What may stand in an id and in url(#...) without escapes.
std::string idFrom(const std::string& prefix)
{
    std::string id = "f-";
    for (const char c : prefix)
        id += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80 ? c : '-';
    return id;
}

void openSvg(XmlWriter& xml, const Figure& figure, const FigureLayout& layout, const std::string& id)
{
    xml.open("svg",
        {{"xmlns", "http://www.w3.org/2000/svg"}, {"class", "headroom-figure " + figure.kind}, {"id", id},
            {"viewBox", fmt::format("0 0 {} {}", pixels(layout.width), pixels(layout.height))}, {"width", layout.width},
            {"height", layout.height}, {"role", "img"}, {"aria-labelledby", fmt::format("{0}-title {0}-desc", id)}});
    xml.element("title", {{"id", id + "-title"}}, figure.title);
    xml.element("desc", {{"id", id + "-desc"}}, figure.description);
}

} // namespace

std::string toSvg(const Figure& figure, const SvgStyle& style)
{
    const TitleLines title = style.title == TitleDisplay::Shown ? TitleLines::Shown : TitleLines::Hidden;
    const FigureLayout layout =
        style.height ? layOut(figure, Room{style.width, *style.height}, title) : layOut(figure, style.width, title);
    const std::string id = idFrom(style.idPrefix);
    XmlWriter xml;
    openSvg(xml, figure, layout, id);
    if (style.styleSheet == StyleSheet::Own)
        xml.raw(fmt::format("<style>{}</style>\n", ownStyleSheet()));
    writePatterns(xml, id, figure);
    FrameDrawing frame(figure, layout, id, xml);
    frame.draw();
    if (figure.emptyText.empty())
        DataDrawing(figure, layout, id, xml).draw();
    frame.drawStrip();
    xml.close();
    return xml.take();
}

} // namespace headroom::figures
