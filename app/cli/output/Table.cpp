// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Table.h"

#include "core/base/ShownText.h"

#include <algorithm>
#include <stdexcept>

namespace headroom::cli {
namespace {

constexpr const char* kUnknown = "-";
constexpr const char* kGap = "  ";

std::string padded(const std::string& text, std::size_t width, Alignment alignment)
{
    const std::string spaces(width - std::min(width, displayWidth(text)), ' ');
    return alignment == Alignment::Right ? spaces + text : text + spaces;
}

std::string withoutTrailingBlanks(std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string markdownCell(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
        escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return " " + escaped + " |";
}

} // namespace

std::size_t displayWidth(const std::string& text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Table::Table(std::vector<Column> columns)
    : m_columns(std::move(columns))
{
    for (Column& column : m_columns)
        column.title = config::shownLine(column.title);
}

void Table::addRow(std::vector<std::string> cells)
{
    if (cells.size() != m_columns.size())
        throw std::invalid_argument("a table row of " + std::to_string(cells.size()) + " cells for "
            + std::to_string(m_columns.size()) + " columns");
    for (std::string& cell : cells)
        cell = cell.empty() ? kUnknown : config::shownLine(cell);
    m_rows.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const
{
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        widths.push_back(displayWidth(m_columns[i].title));
        for (const auto& row : m_rows)
            widths[i] = std::max(widths[i], displayWidth(row[i]));
    }
    return widths;
}

std::string Table::text() const
{
    const std::vector<std::size_t> width = widths();
    const auto line = [&](auto cell) {
        std::string text;
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            text += (i == 0 ? "" : kGap) + padded(cell(i), width[i], m_columns[i].alignment);
        return withoutTrailingBlanks(std::move(text)) + "\n";
    };
    std::string text = line([&](std::size_t i) { return m_columns[i].title; });
    text += line([&](std::size_t i) { return std::string(width[i], '-'); });
    for (const auto& row : m_rows)
        text += line([&](std::size_t i) { return row[i]; });
    return text;
}

std::string Table::markdown() const
{
    std::string text = "|";
    std::string rule = "|";
    for (const Column& column : m_columns) {
        text += markdownCell(column.title);
        rule += column.alignment == Alignment::Right ? " ---: |" : " --- |";
    }
    text += "\n" + rule + "\n";
    for (const auto& row : m_rows) {
        text += "|";
        for (const std::string& cell : row)
            text += markdownCell(cell);
        text += "\n";
    }
    return text;
}

} // namespace headroom::cli
