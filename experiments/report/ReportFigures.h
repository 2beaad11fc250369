// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// Pictures of trials that may be compared with each other.
struct Panel {
    std::string title; ///< what tells it from the other panels; empty for the only one
    figures::Figure tradeoff;
    figures::Figure peaks;
    std::optional<figures::Figure> categories; ///< of the peaks; nothing where no record has them
};

std::vector<Panel> panelsOf(const ReportContent& content, const Comparison& comparison);

/// The timeline of a trial that has a trace, of at most so many steps.
figures::Figure timelineOf(const figures::TimelineInput& timeline, const std::string& title, std::size_t mostBins);
/// By trial id, as timelines are headed.
std::map<std::string, std::string> timelineTitles(const ReportContent& content, const Comparison& comparison);

/// What a figure shows, as a table of the report.
ReportTable asReportTable(const figures::Table& table);

} // namespace headroom::report
