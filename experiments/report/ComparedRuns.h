// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/ComparisonFigure.h"
#include "experiments/report/ReportTable.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// Runs that a reader wants to see beside each other: trials of any experiment, or recordings.
struct ComparedRuns {
    struct Detail {
        std::string title; ///< "At the peaks, by category"
        ReportTable table;
    };

    std::string title; ///< "A: baseline, B: checkpointing all"
    std::vector<std::string> sentences;
    std::optional<figures::ComparisonInput> overTime; ///< of those that have a trace
    std::vector<Detail> details;
};

} // namespace headroom::report
