// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"

#include <string>

namespace headroom::report {

/// The report as Markdown that reads well as it is: verdict, table, what differs, environment, how to run it again.
std::string markdownReport(const ReportContent& content, const Comparison& comparison);

/// Text that Markdown takes as it is, in a table's cell too.
std::string markdownText(const std::string& text);

} // namespace headroom::report
