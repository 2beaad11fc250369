// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/report/ReportTable.h"
#include "experiments/report/html/Html.h"

#include <string>

namespace headroom::report {

/// Whether readers may sort a table by its columns (the script adds the buttons).
enum class Sorting { Offered, None };

/// The letter behind a value that was not measured; nothing behind one that was.
Html htmlMark(Origin origin);

/// A table in a frame that scrolls sideways where the page is narrow. The first column names the rows.
Html htmlTable(const ReportTable& table, const std::string& caption, Sorting sorting);

/// What a figure shows, as a table.
Html htmlTable(const figures::Table& table, const std::string& caption);

} // namespace headroom::report
