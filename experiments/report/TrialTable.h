// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

namespace headroom::report {

/// The results: memory, speed with its interval, both against the reference, deviations, flags. Columns in which no
/// trial has a value are left out.
ReportTable trialTable(const ReportContent& content, const Comparison& comparison);

} // namespace headroom::report
