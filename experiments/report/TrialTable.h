// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

namespace headroom::report {

/// How a table tells trials apart.
enum class TrialColumns {
    Labels, ///< by their techniques in one text: what a report has room for
    Axes, ///< by a column for each axis of the sweep, with the texts behind the results; for a table to sort and filter
};

/// The results: memory, speed with its interval, both against the reference, deviations, flags. Columns in which no
/// trial has a value are left out.
ReportTable trialTable(
    const ReportContent& content, const Comparison& comparison, TrialColumns columns = TrialColumns::Labels);

/// Titles of columns that a table by axes has behind its results: what trials are called where there is one text.
inline constexpr const char* kLabelColumn = "techniques";
inline constexpr const char* kCaseColumn = "case";

} // namespace headroom::report
