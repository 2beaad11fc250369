// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/TableText.h"

namespace headroom::figures {
namespace {

std::string line(const std::vector<std::string>& cells)
{
    std::string text;
    for (const std::string& cell : cells)
        text += (text.empty() && &cell == &cells.front() ? "" : ",") + csvCell(cell);
    return text + "\r\n";
}

} // namespace

std::string csvCell(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string result = "\"";
    for (const char c : text)
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
