// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/SheetLayout.h"

#include "experiments/figures/layout/ElidedApart.h"
#include "experiments/figures/layout/TextMetrics.h"

#include <algorithm>

namespace headroom::figures {
namespace {

constexpr double kSheetMargin = 12;
constexpr double kColumnGap = 18;
constexpr double kRowPx = 19;
constexpr double kPartGap = 14;
constexpr double kIndentPx = 7; ///< of a blank at the beginning of a row
constexpr double kMostCellPx = 420; ///< longer words are cut

std::size_t indentOf(const std::string& cell)
{
    return std::min(cell.find_first_not_of(' '), cell.size());
}

bool isNumber(const std::string& cell)
{
    return !cell.empty() && cell.find_first_of("0123456789") != std::string::npos
        && cell.find_first_not_of("0123456789.,+-%e \u2212") == std::string::npos;
}

/// Of the header and of all rows.
struct TableColumns {
    std::vector<double> widths;
    std::vector<bool> areNumbers;

    double width() const
    {
        double sum = 0;
        for (const double column : widths)
            sum += column + kColumnGap;
        return std::max(0.0, sum - kColumnGap);
    }
};

TableColumns columnsOf(const Table& table)
{
    TableColumns columns;
    for (std::size_t i = 0; i < table.header.size(); ++i) {
        double width = boldTextWidth(table.header[i], kFontPx);
        bool isAllNumbers = i > 0 && !table.rows.empty();
        for (const auto& row : table.rows) {
            const std::size_t indent = indentOf(row.at(i));
            width = std::max(width, double(indent) * kIndentPx + textWidth(row[i].substr(indent), kFontPx));
            isAllNumbers = isAllNumbers && (row[i].empty() || row[i] == "-" || isNumber(row[i]));
        }
        columns.widths.push_back(std::min(width, kMostCellPx));
        columns.areNumbers.push_back(isAllNumbers);
    }
    return columns;
}

class SheetBuilder {
public:
    SheetBuilder(const Sheet& sheet, double width)
        : m_sheet(sheet)
    {
        m_layout.width = std::max(width, kSmallestWidth);
        for (const auto& part : sheet.parts)
            if (const auto* table = std::get_if<SheetTable>(&part))
                m_layout.width = std::max(m_layout.width, columnsOf(table->table).width() + 2 * kSheetMargin);
    }

    SheetLayout build()
    {
        for (std::size_t i = 0; i < m_sheet.parts.size(); ++i) {
            m_y += i > 0 ? kPartGap : 0;
            place(i);
        }
        placeCaption();
        m_layout.height = m_y + kSheetMargin / 2;
        return std::move(m_layout);
    }

private:
    double inner() const { return m_layout.width - 2 * kSheetMargin; }

    void place(std::size_t index)
    {
        const auto& part = m_sheet.parts[index];
        if (const auto* figure = std::get_if<Figure>(&part)) {
            m_layout.figures.push_back({index, m_y, layOut(*figure, m_layout.width, TitleLines::Shown)});
            m_y += m_layout.figures.back().layout.height;
        } else if (const auto* table = std::get_if<SheetTable>(&part)) {
            placeTable(*table);
        } else {
            placeLines(std::get<std::string>(part), SheetWords::Plain);
        }
    }

    void placeLines(const std::string& text, SheetWords words)
    {
        m_y += m_y == 0 ? kSheetMargin / 2 : 0;
        const double px = words == SheetWords::Title ? kTitlePx : kFontPx;
        for (const std::string& line : wrapped(text, px, inner())) {
            m_y += kLinePx;
            m_layout.texts.push_back({{line, kSheetMargin, m_y, TextAnchor::Start}, words});
        }
        m_y += kLinePx / 4;
    }

    void placeTable(const SheetTable& part)
    {
        if (!part.title.empty())
            placeLines(part.title, SheetWords::Title);
        const TableColumns columns = columnsOf(part.table);
        placeRow(part.table.header, columns, SheetWords::Strong);
        rule(m_y + kRowPx / 4);
        m_y += kRowPx / 4;
        for (const auto& row : cutRows(part.table, columns))
            placeRow(row, columns, SheetWords::Plain);
    }

    // What tells the rows of a column apart stays, where they have the same place.
    static std::vector<std::vector<std::string>> cutRows(const Table& table, const TableColumns& columns)
    {
        std::vector<std::vector<std::string>> rows = table.rows;
        for (std::size_t i = 0; i < columns.widths.size(); ++i) {
            std::vector<std::string> cells;
            for (const auto& row : rows)
                if (indentOf(row.at(i)) == 0)
                    cells.push_back(row[i]);
            const std::vector<std::string> cut = elidedApart(cells, kFontPx, columns.widths[i]);
            std::size_t next = 0;
            for (auto& row : rows)
                if (indentOf(row[i]) == 0)
                    row[i] = cut[next++];
        }
        return rows;
    }

    void placeRow(const std::vector<std::string>& cells, const TableColumns& columns, SheetWords words)
    {
        m_y += kRowPx;
        double x = kSheetMargin;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::size_t indent = indentOf(cells[i]);
            const double begin = x + double(indent) * kIndentPx;
            const double room = columns.widths[i] - (begin - x);
            const std::string text = elided(cells[i].substr(indent), kFontPx, room);
            if (columns.areNumbers[i])
                m_layout.texts.push_back({{text, x + columns.widths[i], m_y, TextAnchor::End}, words});
            else
                m_layout.texts.push_back({{text, begin, m_y, TextAnchor::Start}, words});
            x += columns.widths[i] + kColumnGap;
        }
    }

    void placeCaption()
    {
        if (m_sheet.caption.empty())
            return;
        m_y += kPartGap / 2;
        rule(m_y);
        placeLines(m_sheet.caption, SheetWords::Muted);
    }

    void rule(double y) { m_layout.rules.push_back({{kSheetMargin, y}, {m_layout.width - kSheetMargin, y}}); }

    const Sheet& m_sheet;
    SheetLayout m_layout;
    double m_y = 0;
};

} // namespace

SheetLayout layOut(const Sheet& sheet, double width)
{
    return SheetBuilder(sheet, width).build();
}

} // namespace headroom::figures
