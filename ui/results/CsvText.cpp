// SPDX-License-Identifier: Apache-2.0
#include "ui/results/CsvText.h"

namespace headroom::ui {
namespace {

using report::ReportTable;

std::string csvField(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

} // namespace

std::string csvText(const ReportTable& table)
{
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i == 0 ? "" : ",") + csvField(table.columns[i].title);
    text += "\r\n";
    for (const report::ReportRow& row : table.rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const std::string& cell = row.cells[i].text;
            text += (i == 0 ? "" : ",") + (cell == report::kUnknownCell ? "" : csvField(cell));
        }
        text += "\r\n";
    }
    return text;
}

} // namespace headroom::ui
