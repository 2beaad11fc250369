// SPDX-License-Identifier: Apache-2.0
#include "core/base/Csv.h"

#include "core/base/ShownText.h"

#include <charconv>
#include <system_error>

namespace headroom {
namespace {

// Whether a spreadsheet would compute the text instead of showing it. A single dash is not a formula, nor is a number.
bool isFormula(std::string_view text)
{
    if (text.size() < 2 || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos)
        return false;
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    return error == std::errc::invalid_argument || read != end;
}

} // namespace

std::string csvCell(std::string_view text)
{
    const std::string shown = (isFormula(text) ? "'" : "") + config::shownText(text);
    if (shown.find_first_of(",\"\r\n") == std::string::npos)
        return shown;
    std::string result = "\"";
    for (const char c : shown)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

std::string csvLine(std::span<const std::string> cells)
{
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += (i == 0 ? "" : ",") + csvCell(cells[i]);
    return line + "\r\n";
}

} // namespace headroom
