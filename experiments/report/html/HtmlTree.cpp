// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlTree.h"

#include "core/base/Quantities.h"

#include <fmt/format.h>

namespace headroom::report {
namespace {

using figures::PeakTreeRow;

constexpr double kBarWidth = 96;
constexpr double kBarHeight = 10;
constexpr double kOpenShare = 0.25; ///< of the peak: what holds as much is open

Html span(const std::string& classes, const std::string& words)
{
    return element("span", {{"class", classes}}, text(words));
}

// As long as its share of the peak, in the grounds of its categories; the words beside it say the same.
Html barOf(const PeakTreeRow& row, Bytes whole)
{
    std::string bar = fmt::format("<svg class=\"headroom-figure share\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
                                  "{1}\" aria-hidden=\"true\">",
        kBarWidth, kBarHeight);
    double x = 0;
    for (const config::MemoryCategory category : config::kMemoryCategories) {
        const double width =
            whole == 0 ? 0 : kBarWidth * static_cast<double>(row.categories.of(category)) / static_cast<double>(whole);
        if (width >= 0.05)
            bar +=
                fmt::format("<g class=\"c{}\"><rect class=\"ground\" x=\"{:.2f}\" width=\"{:.2f}\" height=\"{}\"/></g>",
                    static_cast<std::size_t>(category), x, width, kBarHeight);
        x += width;
    }
    return {bar + "</svg>"};
}

Html cells(const PeakTreeRow& row, Bytes whole, Origin origin)
{
    Html name = text(row.name);
    if (row.kind == PeakTreeRow::Kind::Node && row.alike > 1)
        name += element("span", {{"class", "alike"}}, text(fmt::format("{} alike", row.alike)));
    Html bytes = text(sizeText(row.bytes()));
    if (origin == Origin::Predicted)
        bytes += element("abbr", {{"class", "p"}, {"title", "predicted, not measured"}}, text("p"));
    Html html = element("span", {{"class", "name"}}, name);
    html += element("span", {{"class", "bytes"}, {"title", exactSizeText(row.bytes())}}, bytes);
    html += span("part-of", shareText(row.bytes(), whole));
    html += barOf(row, whole);
    html += span("mostly", figures::mostlyText(row.categories));
    return html;
}

Html rowHtml(const PeakTreeRow& row, Bytes whole, Origin origin);

Html rowsBelow(const PeakTreeRow& row, Bytes whole, Origin origin)
{
    Html items;
    for (const PeakTreeRow& next : row.rows) {
        items += element("li", {{"data-bytes", std::to_string(next.bytes())}}, rowHtml(next, whole, origin));
        items.source += "\n";
    }
    return element("ul", items);
}

Html rowHtml(const PeakTreeRow& row, Bytes whole, Origin origin)
{
    if (row.rows.empty())
        return element("div", {{"class", "row"}}, cells(row, whole, origin));
    Html html = element("summary", {{"class", "row"}}, cells(row, whole, origin));
    html += rowsBelow(row, whole, origin);
    const bool isOpen = static_cast<double>(row.bytes()) >= kOpenShare * static_cast<double>(whole);
    return element("details", isOpen ? Attributes{{"open", "open"}} : Attributes(), html);
}

} // namespace

Html htmlTree(const PeakTreeRow& root, Origin origin)
{
    Html items = element("li", {{"data-bytes", std::to_string(root.bytes())}}, rowHtml(root, root.bytes(), origin));
    return element("ul", {{"class", "tree"}}, items);
}

} // namespace headroom::report
