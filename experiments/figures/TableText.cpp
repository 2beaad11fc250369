// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/TableText.h"

#include "core/base/ShownText.h"

#include <charconv>
#include <string_view>

namespace headroom::figures {
namespace {

std::string line(const std::vector<std::string>& cells)
{
    std::string text;
    for (const std::string& cell : cells)
        text += (text.empty() && &cell == &cells.front() ? "" : ",") + csvCell(cell);
    return text + "\r\n";
}

// What a spreadsheet computes instead of showing it. A dash by itself is none, nor is a number.
bool isFormula(const std::string& text)
{
    if (text.size() < 2 || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos)
        return false;
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    return error == std::errc::invalid_argument || read != end;
}

} // namespace

std::string csvCell(const std::string& text)
{
    const std::string shown = (isFormula(text) ? "'" : "") + config::shownText(text);
    if (shown.find_first_of(",\"\r\n") == std::string::npos)
        return shown;
    std::string result = "\"";
    for (const char c : shown)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

std::string toCsv(const Table& table)
{
    std::string text = line(table.header);
    for (const auto& row : table.rows)
        text += line(row);
    return text;
}

} // namespace headroom::figures
