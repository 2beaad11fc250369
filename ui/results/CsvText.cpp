// SPDX-License-Identifier: Apache-2.0
#include "ui/results/CsvText.h"

#include "experiments/figures/TableText.h"

namespace headroom::ui {

using figures::csvCell;
using report::ReportTable;

std::string csvText(const ReportTable& table)
{
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i == 0 ? "" : ",") + csvCell(table.columns[i].title);
    text += "\r\n";
    for (const report::ReportRow& row : table.rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const std::string& cell = row.cells[i].text;
            text += (i == 0 ? "" : ",") + (cell == report::kUnknownCell ? "" : csvCell(cell));
        }
        text += "\r\n";
    }
    return text;
}

} // namespace headroom::ui
