// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlTable.h"

namespace headroom::report {
namespace {

// More than a narrow column can show without becoming a tower.
constexpr std::size_t kLongText = 40;

std::string headerClass(const ReportColumn& column)
{
    return column.kind == CellKind::Number ? "number" : "";
}

Html header(const ReportTable& table)
{
    Html cells;
    for (const ReportColumn& column : table.columns) {
        Attributes attributes{{"scope", "col"}};
        if (column.kind == CellKind::Number)
            attributes.emplace_back("class", headerClass(column));
        if (!column.help.empty())
            attributes.emplace_back("title", column.help);
        cells += element("th", attributes, name(column.title));
    }
    return element("thead", element("tr", cells));
}

// What ended badly or is flagged is seen at a glance; the words say it too.
std::string pillClass(const std::string& cell)
{
    if (cell.starts_with("out of memory") || cell == "no")
        return "pill bad";
    if (cell.starts_with("failed") || cell.starts_with("timed out") || cell == "error")
        return "pill bad";
    if (cell == "predicted" || cell == "measured")
        return "pill " + cell;
    if (cell == "rehearsed")
        return "pill predicted";
    if (cell.starts_with("skipped") || cell.starts_with("not run") || cell.starts_with("cancelled"))
        return "pill quiet";
    return "";
}

Html pill(const std::string& word, const std::string& classes)
{
    return classes.empty() ? name(word) : element("span", {{"class", classes}}, name(word));
}

// The outcome, and each flag as a warning.
Html outcomeContent(const std::string& cell)
{
    const std::string separator = kFlagSeparator;
    auto end = cell.find(separator);
    Html content = pill(cell.substr(0, end), pillClass(cell));
    while (end != std::string::npos) {
        const auto begin = end + separator.size();
        end = cell.find(separator, begin);
        content.source += " ";
        content += pill(cell.substr(begin, end - begin), "pill warn");
    }
    return content;
}

Html cellContent(const ReportColumn& column, const ReportCell& cell)
{
    const bool isState = column.title == "kind" || column.title == "fits" || column.title == "severity";
    Html content =
        column.title == "outcome" ? outcomeContent(cell.text) : pill(cell.text, isState ? pillClass(cell.text) : "");
    if (cell.text != kUnknownCell)
        content += htmlMark(cell.origin);
    return content;
}

enum class CellRole { RowName, Value };

std::string cellClasses(const ReportColumn& column, const ReportCell& cell)
{
    std::string classes = headerClass(column);
    const auto add = [&](const char* name) { classes += (classes.empty() ? "" : " ") + std::string(name); };
    if (cell.text.size() > kLongText)
        add("long");
    if (column.title == "outcome")
        add("outcome");
    if (cell.origin != Origin::Plain)
        add("predicted");
    return classes;
}

Html cellOf(const ReportColumn& column, const ReportCell& cell, CellRole role)
{
    Attributes attributes;
    if (const std::string classes = cellClasses(column, cell); !classes.empty())
        attributes.emplace_back("class", classes);
    if (!cell.sortKey.empty())
        attributes.emplace_back("data-sort", cell.sortKey);
    if (role == CellRole::Value)
        return element("td", attributes, cellContent(column, cell));
    attributes.emplace_back("scope", "row");
    return element("th", attributes, cellContent(column, cell));
}

Html body(const ReportTable& table)
{
    Html rows;
    for (const ReportRow& row : table.rows) {
        Html cells;
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            cells += cellOf(table.columns[i], row.cells[i], i == 0 ? CellRole::RowName : CellRole::Value);
        rows += element("tr", row.trial.empty() ? Attributes() : Attributes{{"data-trial", row.trial}}, cells);
        rows.source += "\n";
    }
    return element("tbody", rows);
}

Html framed(const std::string& caption, const std::string& classes, const Html& content)
{
    const Html table =
        element("table", {{"class", classes}}, {element("caption", name(caption)).source + content.source});
    return element("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}}, table);
}

} // namespace

Html htmlMark(Origin origin)
{
    if (origin == Origin::Plain)
        return {};
    const std::string title = origin == Origin::Predicted ? "predicted, not measured" : "rehearsed, not measured";
    return element("abbr", {{"class", "p"}, {"title", title}}, text(markOf(origin)));
}

Html htmlTable(const ReportTable& table, const std::string& caption, Sorting sorting)
{
    Html content = header(table);
    content += body(table);
    Html html = framed(caption, sorting == Sorting::Offered ? "sortable" : "plain", content);
    for (const Origin origin : table.markedOrigins())
        html += element("p", {{"class", "note"}},
            {element("abbr", {{"class", "p"}}, text(markOf(origin))).source + " " + text(meaningOf(origin)).source});
    return html;
}

} // namespace headroom::report
