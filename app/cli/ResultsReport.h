// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/Report.h"
#include "experiments/ResultsDocument.h"

namespace headroom::cli {

/// The results of a run: a table of its trials for people, the contract's records for programs.
Report resultsReport(const experiments::ResultsDocument& results);

} // namespace headroom::cli
