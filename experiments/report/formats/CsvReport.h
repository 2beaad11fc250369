// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/results/ResultsDocument.h"

#include <string>
#include <vector>

namespace headroom::report {

/// A row per trial as RFC 4180 wants it (lines end with CR LF), columns as docs/contract.md lists them, nothing where
/// a value is unknown. Written row by row.
void csvReport(const ReportContent& content, const Comparison& comparison, const experiments::TextSink& write);

/// The columns' names, in order.
std::vector<std::string> csvColumns();

} // namespace headroom::report
