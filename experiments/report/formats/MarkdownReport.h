// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

#include <string>

namespace headroom::report {

/// The report as Markdown that reads well as it is: a figure as its caption and a table to open.
std::string markdownReport(const ReportContent& content, const Comparison& comparison);

/// A table of the report; predicted figures are marked, and a line below says so. Empty for a table without rows.
std::string markdownTable(const ReportTable& table);

/// Text that Markdown takes as it is, in a table's cell too.
std::string markdownText(const std::string& text);

} // namespace headroom::report
