// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlTree.h"

#include "core/base/Quantities.h"

#include "experiments/figures/Palette.h"
#include "experiments/report/html/HtmlTable.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace headroom::report {
namespace {

using figures::PeakTreeRow;

constexpr int kTreeBarPx = 96;
constexpr double kOpenShare = 0.25; ///< of the peak: what holds as much is open

std::int64_t placeOf(Bytes bytes, Bytes whole)
{
    return whole == 0 ? 0 : std::llround(kTreeBarPx * static_cast<double>(bytes) / static_cast<double>(whole));
}

// As long as its share of the peak, in the grounds of its categories; the words beside it say the same.
Html barOf(const PeakTreeRow& row, Bytes whole)
{
    Html parts;
    Bytes before = 0;
    for (const config::MemoryCategory category : config::kMemoryCategories) {
        const Bytes after = before + row.categories.of(category);
        if (const std::int64_t px = placeOf(after, whole) - placeOf(before, whole); px > 0)
            parts.source += fmt::format("<i class=\"k{} w{}\"></i>", static_cast<std::size_t>(category), px);
        before = after;
    }
    return parts.empty() ? parts : element("span", {{"class", "bar"}}, parts);
}

Html cells(const PeakTreeRow& row, Bytes whole, Origin origin)
{
    Html title = name(row.name);
    if (row.kind == PeakTreeRow::Kind::Node && row.alike > 1)
        title += element("span", {{"class", "alike"}}, text(fmt::format("{} alike", row.alike)));
    Html bytes = text(sizeText(row.bytes()));
    bytes += htmlMark(origin);
    Html html = element("b", title);
    html += element("span", {{"class", "bytes"}}, bytes);
    html += element("small", text(shareText(row.bytes(), whole)));
    html += barOf(row, whole);
    html += element("em", text(figures::mostlyText(row.categories)));
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
        return element("div", cells(row, whole, origin));
    Html html = element("summary", cells(row, whole, origin));
    html += rowsBelow(row, whole, origin);
    const bool isOpen = static_cast<double>(row.bytes()) >= kOpenShare * static_cast<double>(whole);
    return element("details", isOpen ? Attributes{{"open", "open"}} : Attributes(), html);
}

} // namespace

std::string treeStyleSheet()
{
    std::string rules;
    for (int px = 1; px <= kTreeBarPx; ++px)
        rules += fmt::format(".w{0}{{width:{0}px}}", px);
    for (std::size_t category = 0; category < figures::kCategoryColours; ++category)
        rules += fmt::format(".k{}{{background:var(--hr-category-{})}}", category, category + 1);
    return rules + "\n";
}

Html htmlTree(const PeakTreeRow& root, Origin origin)
{
    Html items = element("li", {{"data-bytes", std::to_string(root.bytes())}}, rowHtml(root, root.bytes(), origin));
    return element("ul", {{"class", "tree"}}, items);
}

} // namespace headroom::report
