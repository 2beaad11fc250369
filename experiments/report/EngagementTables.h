// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

#include <string>
#include <vector>

namespace headroom::report {

/// What one technique did: a row for each counter, a column for each of its settings.
struct EngagementTable {
    std::string technique; ///< the key
    ReportTable table;
};

/// Counters per step of the techniques that are on, with their units. Where trials of one setting differ, a cell has
/// the least and the most: "28 to 56". Cases have columns of their own as long as these are few.
std::vector<EngagementTable> engagementTables(const ReportContent& content, const Comparison& comparison);

/// The counters of one trial: a counter per row. Empty where no technique that is on has any.
ReportTable engagementTable(const ReportTrial& trial);

/// What each setting came to in the trials, once: "casting", "e4m3", "285 layers stored as ...". A setting that came to
/// several things has a row for each.
ReportTable settingTable(const ReportContent& content);

} // namespace headroom::report
