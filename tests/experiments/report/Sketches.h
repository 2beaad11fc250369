// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportContent.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// A trial with a record as a completed run leaves it.
struct TrialSketch {
    std::string splitFfn = "off";
    std::string device = "sim:t4";
    double peakGib = 1;
    std::optional<double> stepsPerSecond = 1;
    double scatter = 0; ///< of the step time, as a fraction
    std::string outcome = "completed";
    std::string activation = "gelu";
    std::optional<protocol::MemoryBreakdown> breakdown = {};
    int sequenceLength = 8; ///< of both samples: splits of tokens have to divide twice that
    std::string casting = "off";
};

/// Of blocks that hold the same, a head, and something of no module; 1 GiB in all.
protocol::MemoryBreakdown sketchedBreakdown();

std::vector<ReportTrial> sketched(const std::vector<TrialSketch>& sketches);

/// Something to say in every section of a report.
ReportContent contentOfEverySection();

/// What each section is headed by, in the order of the report.
std::vector<std::string> titlesOfEverySection();

} // namespace headroom::report
