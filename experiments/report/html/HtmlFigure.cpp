// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlFigure.h"

#include "experiments/figures/svg/SvgWriter.h"
#include "experiments/report/html/HtmlTable.h"

#include <optional>

namespace headroom::report {
namespace {

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

Html figureOf(const figures::Figure& wide, const figures::Figure& narrow, const std::string& id,
    const std::optional<double>& height)
{
    Html content = drawing(wide, id, "wide", {kWideDrawing, height});
    content += drawing(narrow, id, "narrow", {kNarrowDrawing, height});
    content += element("figcaption", text(wide.description));
    content += opened("The figure as a table", htmlTable(wide.table, wide.title));
    return element("figure", {{"id", id}}, content);
}

} // namespace

Html htmlFigure(const figures::Figure& figure, const std::string& id)
{
    return figureOf(figure, figure, id, std::nullopt);
}

Html htmlFigure(const figures::Figure& wide, const figures::Figure& narrow, const std::string& id)
{
    return figureOf(wide, narrow, id, std::nullopt);
}

Html htmlTrack(const figures::Figure& figure, const std::string& id)
{
    return figureOf(figure, figure, id, kTrackHeight);
}

Html htmlSmallFigure(const figures::Figure& figure, const std::string& id)
{
    Html content = element("h4", name(figure.title));
    content += drawing(figure, id, "small", {kNarrowDrawing, std::nullopt});
    content += opened("The figure as a table", htmlTable(figure.table, figure.title));
    return element("figure", {{"id", id}}, content);
}

Html opened(const std::string& summary, const Html& content)
{
    Html html = element("summary", name(summary));
    html += content;
    return element("details", html);
}

} // namespace headroom::report
