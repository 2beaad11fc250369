// SPDX-License-Identifier: Apache-2.0
#include "ui/results/CsvText.h"

#include "core/base/Csv.h"

#include <vector>

namespace headroom::ui {

using report::ReportTable;

std::string csvText(const ReportTable& table)
{
    std::vector<std::string> titles;
    for (const report::ReportColumn& column : table.columns)
        titles.push_back(column.title);
    std::string text = csvLine(titles);
    for (const report::ReportRow& row : table.rows) {
        std::vector<std::string> cells;
        for (const report::ReportCell& cell : row.cells)
            cells.push_back(cell.text == report::kUnknownCell ? "" : cell.text);
        text += csvLine(cells);
    }
    return text;
}

} // namespace headroom::ui
