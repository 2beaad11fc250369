// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/results/ResultsDocument.h"

#include <string>

namespace headroom::cli {

/// The results of a run: a table of its trials for people, below the line that says what they all do, and the
/// contract's records for programs.
Report resultsReport(const experiments::ResultsDocument& results, const std::string& task = {});

} // namespace headroom::cli
