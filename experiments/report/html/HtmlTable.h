// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTable.h"
#include "experiments/report/document/Block.h"
#include "experiments/report/html/Html.h"

#include <string>

namespace headroom::report {

/// The letter behind a value that was not measured; nothing behind one that was.
Html htmlMark(Origin origin);

/// A table in a frame that scrolls sideways where the page is narrow. The first column names the rows. Where sorting is
/// offered, the script adds the buttons.
Html htmlTable(const ReportTable& table, const std::string& caption, Sorting sorting);

} // namespace headroom::report
