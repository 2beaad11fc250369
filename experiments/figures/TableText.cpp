// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/TableText.h"

#include "core/base/Csv.h"

namespace headroom::figures {

std::string toCsv(const Table& table)
{
    std::string text = csvLine(table.header);
    for (const auto& row : table.rows)
        text += csvLine(row);
    return text;
}

} // namespace headroom::figures
