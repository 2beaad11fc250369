// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/results/ResultsDocument.h"

#include <string>

namespace headroom::cli {

/// The results of a run: for people a table of its trials, below a line that states their common task; for programs the
/// contract's records, which are made when they are printed: `results` must outlive the report.
Report resultsReport(const experiments::ResultsDocument& results, const std::string& task = {});

} // namespace headroom::cli
