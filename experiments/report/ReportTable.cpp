// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportTable.h"

#include <algorithm>

namespace headroom::report {

bool ReportTable::hasPredictions() const
{
    return std::any_of(rows.begin(), rows.end(), [](const ReportRow& row) {
        return std::any_of(row.cells.begin(), row.cells.end(),
            [](const ReportCell& cell) { return cell.origin == Origin::Predicted; });
    });
}

} // namespace headroom::report
