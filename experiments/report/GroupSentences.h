// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"

#include <string>
#include <vector>

namespace headroom::report {

/// The fastest trial of a group that fits, and what each other setting saves and costs against the reference: of many
/// settings only those that no other one beats. Predictions are named as such in each sentence.
std::vector<std::string> groupSentences(const ComparisonGroup& group, const Comparison& comparison);

/// The setting in backquotes.
std::string quotedName(const ReportTrial& trial);

} // namespace headroom::report
