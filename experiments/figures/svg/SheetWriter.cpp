// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/SheetWriter.h"

#include "core/base/ShownText.h"
#include "experiments/figures/svg/SvgElements.h"
#include "experiments/figures/svg/SvgShapes.h"
#include "experiments/figures/svg/SvgWriter.h"

#include <fmt/format.h>

namespace headroom::figures {
namespace {

constexpr const char* kSheetPatterns = "sheet";

std::string className(SheetWords words)
{
    switch (words) {
    case SheetWords::Plain:
        return "sheet-text";
    case SheetWords::Strong:
        return "strip-title";
    case SheetWords::Title:
        return "title";
    case SheetWords::Muted:
        return "small";
    }
    return {};
}

void writeSheetFigure(XmlWriter& xml, const Figure& figure, const SheetFigure& placed)
{
    xml.open("g",
        {{"class", "headroom-figure " + figure.kind}, {"transform", fmt::format("translate(0 {})", pixels(placed.y))},
            {"role", "img"}, {"aria-label", figure.title}});
    writeFigure(xml, figure, placed.layout, kSheetPatterns);
    xml.close();
}

} // namespace

std::string toSvg(const Sheet& sheet, double width)
{
    const SheetLayout layout = layOut(sheet, width);
    XmlWriter xml;
    xml.open("svg",
        {{"xmlns", "http://www.w3.org/2000/svg"}, {"class", "headroom-figure"},
            {"viewBox", fmt::format("0 0 {} {}", pixels(layout.width), pixels(layout.height))}, {"width", layout.width},
            {"height", layout.height}});
    xml.element("title", {}, config::withoutDirections(sheet.caption));
    xml.raw(fmt::format("<style>{}</style>\n", ownStyleSheet()));
    writeAllPatterns(xml, kSheetPatterns);
    xml.empty("rect", {{"class", "surface"}, {"width", layout.width}, {"height", layout.height}});
    for (const SheetFigure& placed : layout.figures)
        writeSheetFigure(xml, std::get<Figure>(sheet.parts[placed.part]), placed);
    for (const Segment& rule : layout.rules)
        writeLine(xml, "grid", rule);
    for (const SheetText& text : layout.texts)
        writeText(xml, className(text.words), text.text);
    xml.close();
    return xml.take();
}

} // namespace headroom::figures
