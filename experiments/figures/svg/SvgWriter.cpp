// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/SvgWriter.h"

#include "core/base/ShownText.h"
#include "experiments/figures/CategoryLook.h"
#include "experiments/figures/Palette.h"
#include "experiments/figures/drawing/FigureDrawing.h"
#include "experiments/figures/drawing/SheetDrawing.h"
#include "experiments/figures/svg/SvgCanvas.h"

#include <fmt/format.h>

#include <cctype>

namespace headroom::figures {
namespace {

// All rules are for descendants of the drawing: in a page they must not reach anything else.
constexpr const char* kShapeRules = R"(
.headroom-figure{max-width:100%;height:auto}
.headroom-figure.patterns{position:absolute}
.headroom-figure text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
.headroom-figure .title{font-size:15px;font-weight:600}
.headroom-figure .strip-title,.headroom-figure .reference-label{font-weight:600}
.headroom-figure .tick-label{font-variant-numeric:tabular-nums}
.headroom-figure :is(path,line,rect,circle){vector-effect:non-scaling-stroke}
.headroom-figure .grid{stroke-width:1px}
.headroom-figure .axis{stroke-width:1px}
.headroom-figure .frame{fill:none;stroke-width:1px;stroke-dasharray:4 4}
.headroom-figure .reference{stroke-width:1.5px;stroke-dasharray:6 4}
.headroom-figure .front{fill:none;stroke-width:1.5px;opacity:.75}
.headroom-figure .front.predicted{stroke-dasharray:5 3}
.headroom-figure .counter{fill:none;stroke-width:1.5px;stroke-linejoin:round}
.headroom-figure .s1 .counter{stroke-dasharray:6 3}
.headroom-figure .under{fill-opacity:.12;stroke:none}
.headroom-figure .spread{fill-opacity:.3;stroke:none}
.headroom-figure .faded{stroke:none}
.headroom-figure .part{stroke-width:1px}
.headroom-figure .texture{stroke-width:1.2px}
.headroom-figure .layer-label{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
.headroom-figure .span rect{fill-opacity:.2;stroke-width:1px}
.headroom-figure .shape{stroke-width:1px}
.headroom-figure .predicted .shape{stroke-width:1.75px;stroke-dasharray:3 1.6}
.headroom-figure .predicted.minor .shape{stroke-width:1.4px;stroke-dasharray:2.2 1.3}
.headroom-figure.timeline .predicted .shape{stroke-dasharray:none}
.headroom-figure .cross{fill:none;stroke-width:2px}
.headroom-figure .error{stroke-width:1.5px}
.headroom-figure .leader{stroke-width:1px}
.headroom-figure .ring{fill:none;stroke-width:1.4px}
.headroom-figure .ring.pressured{stroke-dasharray:5 2.5}
.headroom-figure .ring.not_steady{stroke-dasharray:1.4 2.2}
.headroom-figure .ring.implausible{stroke-width:2px}
.headroom-figure .bar{stroke-width:1px}
.headroom-figure .predicted .bar{stroke-width:1.25px;stroke-dasharray:4 2.5}
.headroom-figure .halo{fill:none;stroke:none;pointer-events:all}
.headroom-figure .label,.headroom-figure .reference-label,.headroom-figure .row-text{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
.headroom-figure [tabindex]:focus{outline:none}
.headroom-figure [tabindex]:focus .halo{stroke-width:2px}
.headroom-figure [tabindex]:hover .halo{stroke-width:1px}
)";

std::string seriesRules(const std::string& surface, const std::string& colour, std::size_t series)
{
    return fmt::format(
        R"(.headroom-figure .s{0} .shape,.headroom-figure .s{0} .under,.headroom-figure .s{0} .spread,.headroom-figure .s{0} .bar,.headroom-figure .span.s{0} rect{{fill:{2}}}
.headroom-figure .s{0} .shape,.headroom-figure .s{0} .bar{{stroke:{1}}}
.headroom-figure .predicted.s{0} .shape{{fill:{1};stroke:{2}}}
.headroom-figure .predicted.s{0} .bar{{fill-opacity:{3};stroke:{2}}}
.headroom-figure .s{0} .cross,.headroom-figure .s{0} .error,.headroom-figure .s{0} .front,.headroom-figure .s{0} .counter,.headroom-figure .span.s{0} rect{{stroke:{2}}}
)",
        series, surface, colour, kPaleBar);
}

std::string categoryRules(const std::string& colour, std::size_t category)
{
    return fmt::format(
        ".headroom-figure .c{0} .ground{{fill:{1}}}\n.headroom-figure .c{0} .layer-label{{stroke:{1}}}\n", category,
        colour);
}

std::string colourRules(const Palette& palette)
{
    std::string rules = fmt::format(R"(.headroom-figure .surface{{fill:{0}}}
.headroom-figure text{{fill:{1}}}
.headroom-figure .tick-label,.headroom-figure .axis-label,.headroom-figure .reason,.headroom-figure .small{{fill:{2}}}
.headroom-figure .grid{{stroke:{3}}}
.headroom-figure .axis,.headroom-figure .frame,.headroom-figure .leader{{stroke:{2}}}
.headroom-figure .ring,.headroom-figure .error.plain{{stroke:{1}}}
.headroom-figure .reference{{stroke:{4}}}
.headroom-figure .reference-label{{fill:{4}}}
.headroom-figure .label,.headroom-figure .reference-label,.headroom-figure .row-text{{stroke:{0}}}
.headroom-figure [tabindex]:is(:focus,:hover) .halo{{stroke:{1}}}
.headroom-figure .faded{{fill:{0};fill-opacity:{5}}}
.headroom-figure .part{{stroke:{0}}}
.headroom-figure .layer-label{{fill:{7}}}
.headroom-figure .texture{{stroke:{7};stroke-opacity:{6}}}
.headroom-figure .dot{{fill:{7};fill-opacity:{6}}}
)",
        palette.surface, palette.ink, palette.muted, palette.grid, palette.budget, kFade, kTextureOpacity,
        palette.onCategory);
    for (std::size_t i = 0; i < palette.categories.size(); ++i)
        rules += categoryRules(palette.categories.at(i), i);
    for (std::size_t i = 0; i < palette.series.size(); ++i)
        rules += seriesRules(palette.surface, palette.series.at(i), i);
    return rules;
}

std::string properties(const Palette& palette, const std::string& scheme)
{
    std::string text =
        fmt::format("color-scheme:{};--hr-surface:{};--hr-ink:{};--hr-muted:{};--hr-grid:{};--hr-budget:{}", scheme,
            palette.surface, palette.ink, palette.muted, palette.grid, palette.budget);
    for (std::size_t i = 0; i < palette.series.size(); ++i)
        text += fmt::format(";--hr-series-{}:{}", i + 1, palette.series.at(i));
    for (std::size_t i = 0; i < palette.categories.size(); ++i)
        text += fmt::format(";--hr-category-{}:{}", i + 1, palette.categories.at(i));
    text += ";--hr-on-category:" + palette.onCategory;
    return text;
}

constexpr const char* kPagePatterns = "hr";
constexpr const char* kSheetPatterns = "sheet";
constexpr double kFineGridPx = 0.1; ///< a drawing by itself may be enlarged
constexpr double kPageGridPx = 0.5; ///< a page is read at its size

void writeOn(XmlWriter& xml, const Figure& figure, const FigureLayout& layout, const SvgTerms& terms)
{
    SvgCanvas canvas(xml, terms);
    const PlotScene scene = sceneOf(figure, layout);
    FigureDrawing(scene, canvas).drawAll();
}

// What may stand in an id and in url(#...) without escapes.
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
    xml.element("title", {{"id", id + "-title"}}, config::withoutDirections(figure.title));
    xml.element("desc", {{"id", id + "-desc"}}, config::withoutDirections(figure.description));
}

// The rules of a drawing that stands by itself: its colours are written out, so that programs that know no custom
// properties show it too; dark where the reader prefers that on a screen.
std::string ownStyleSheet()
{
    return fmt::format("{}{}@media screen and (prefers-color-scheme:dark){{\n{}}}\n", kShapeRules,
        colourRules(lightPalette()), colourRules(darkPalette()));
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
    if (style.styleSheet == StyleSheet::OfThePage) {
        writeOn(xml, figure, layout, {kPagePatterns, kPageGridPx});
    } else {
        writePatterns(xml, id, figure);
        writeOn(xml, figure, layout, {id, kFineGridPx});
    }
    xml.close();
    return xml.take();
}

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
    SvgCanvas canvas(xml, {kSheetPatterns, kFineGridPx});
    drawSheet(sheet, layout, canvas);
    xml.close();
    return xml.take();
}

std::string pagePatterns()
{
    XmlWriter xml;
    xml.open("svg", {{"class", "headroom-figure patterns"}, {"width", 0.0}, {"height", 0.0}, {"aria-hidden", "true"}});
    writeAllPatterns(xml, kPagePatterns);
    xml.close();
    return xml.take();
}

std::string pageStyleSheet()
{
    const std::string dark = properties(darkPalette(), "dark");
    return fmt::format(":root{{{0}}}\n"
                       "@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=\"light\"]){{{1}}}}}\n"
                       "@media screen{{:root[data-theme=\"dark\"]{{{1}}}}}\n{2}{3}",
        properties(lightPalette(), "light"), dark, kShapeRules, colourRules(propertyPalette()));
}

} // namespace headroom::figures
