// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/HtmlFigure.h"

#include "experiments/figures/SvgWriter.h"
#include "experiments/report/HtmlTable.h"

namespace headroom::report {
namespace {

constexpr double kWide = 1000;
constexpr double kNarrow = 344;

Html drawing(const figures::Figure& figure, const std::string& id, const std::string& classes, double width)
{
    const figures::SvgStyle style{.width = width,
        .styleSheet = figures::StyleSheet::OfThePage,
        .title = figures::TitleDisplay::Hidden,
        .idPrefix = id + "-" + classes};
    return element("div", {{"class", "drawing " + classes}}, {figures::toSvg(figure, style)});
}

} // namespace

Html htmlFigure(const figures::Figure& figure, const std::string& id)
{
    Html content = drawing(figure, id, "wide", kWide);
    content += drawing(figure, id, "narrow", kNarrow);
    content += element("figcaption", text(figure.description));
    Html table = element("summary", text("The figure as a table"));
    table += htmlTable(figure.table, figure.title);
    content += element("details", table);
    return element("figure", {{"id", id}}, content);
}

} // namespace headroom::report
