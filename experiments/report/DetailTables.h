// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/Facets.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

#include <vector>

namespace headroom::report {

/// The name of a trial among those of the report: its case, where there are several, and its techniques.
std::string nameOf(const ReportTrial& trial, const Comparison& comparison);

/// As a page shows it: predictions are marked one by one, and told in a column, only where measurements stand beside
/// them. Else the page says it once.
ReportTable marked(ReportTable table, const Comparison& comparison);

/// Settings that differ between the trials.
ReportTable differenceTable(const ReportContent& content);
/// Settings that all trials share.
std::vector<Facet> sharedSettings(const ReportContent& content);

/// Settings in which a trial differs from another, with the values of both.
ReportTable differenceTable(const ReportTrial& trial, const ReportTrial& other);

/// What techniques that are on came to, one per row: "casting", "e4m3, 34 layers".
ReportTable effectTable(const ReportTrial& trial);

/// Why a trial is flagged, with the flags in words.
std::vector<std::string> flagReasons(const ReportTrial& trial);

/// Flags of trials and why they were raised.
ReportTable flagTable(const ReportContent& content, const Comparison& comparison);

/// Trials without figures, with the reason.
ReportTable endingTable(const ReportContent& content, const Comparison& comparison);

/// What the run remarked.
ReportTable remarkTable(const ReportContent& content);

/// The environment, a fact per row, with what was different in other parts of the run.
ReportTable environmentTable(const ReportContent& content);

} // namespace headroom::report
