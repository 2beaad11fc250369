// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlFigure.h"

#include "experiments/figures/svg/SvgWriter.h"
#include "experiments/report/html/HtmlTable.h"

#include <optional>

namespace headroom::report {
namespace {

constexpr double kWide = 1000;
constexpr double kNarrow = 344;

constexpr double kTrackHeight = 190;

struct Extent {
    double width = 0;
    std::optional<double> height{};
};

Html drawing(const figures::Figure& figure, const std::string& id, const std::string& classes, const Extent& extent)
{
    const figures::SvgStyle style{.width = extent.width,
        .styleSheet = figures::StyleSheet::OfThePage,
        .title = figures::TitleDisplay::Hidden,
        .idPrefix = id + "-" + classes,
        .height = extent.height};
    return element("div", {{"class", "drawing " + classes}}, {figures::toSvg(figure, style)});
}

Html figureOf(const figures::Figure& figure, const std::string& id, const std::optional<double>& height)
{
    Html content = drawing(figure, id, "wide", {kWide, height});
    content += drawing(figure, id, "narrow", {kNarrow, height});
    content += element("figcaption", text(figure.description));
    Html table = element("summary", text("The figure as a table"));
    table += htmlTable(figure.table, figure.title);
    content += element("details", table);
    return element("figure", {{"id", id}}, content);
}

} // namespace

Html htmlFigure(const figures::Figure& figure, const std::string& id)
{
    return figureOf(figure, id, std::nullopt);
}

Html htmlTrack(const figures::Figure& figure, const std::string& id)
{
    return figureOf(figure, id, kTrackHeight);
}

} // namespace headroom::report
