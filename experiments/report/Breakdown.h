// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/MemoryBreakdown.h"
#include "experiments/figures/memory/PeakTree.h"
#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// By category; what is of a category that this version does not know is unknown.
trace::CategoryBytes categoriesOf(const protocol::MemoryBreakdown& breakdown);

/// By module.
trace::MemoryNode moduleTree(const protocol::MemoryBreakdown& breakdown);

/// Bytes of each category that occurs, exactly: a row for each trial that knows them, and in which phase the peak was.
ReportTable breakdownTable(const ReportContent& content, const Comparison& comparison);

/// The lines of an imported model's source that hold most of a trial's peak, at most `most`, with exact bytes; without
/// rows where they are not known.
ReportTable largestSources(const ReportTrial& trial, std::size_t most);

/// The largest rows of the tree of a peak by module, at most `most`, with exact bytes.
ReportTable largestModules(const ReportTrial& trial, std::size_t most);

} // namespace headroom::report
