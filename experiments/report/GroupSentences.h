// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"

#include <string>
#include <vector>

namespace headroom::report {

/// The fastest trial of a group that fits, the one that keeps most speed for the memory that it saves, and what each
/// other setting saves and costs against the reference: of many settings those that no other one beats, all of them.
/// Where records tell what peaks consisted of, why they differ. Predictions beside measurements are named as such.
std::vector<std::string> groupSentences(const ComparisonGroup& group, const Comparison& comparison);

/// The setting in backquotes.
std::string quotedName(const ReportTrial& trial);

} // namespace headroom::report
