// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/report/reading/TraceAnswer.h"
#include "profiling/trace/peaks/MemoryTree.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace headroom::cli {

/// "0.250000 s into the trace", to the microsecond; --at accepts this number.
std::string intoTheTrace(std::int64_t timeNs);

/// "backward of step 3", for sentences.
std::string phaseInWords(const std::optional<trace::PhaseSpan>& phase);

/// One row per non-empty category, largest first, and the sum.
Table categoryTable(const trace::CategoryBytes& categories);

/// One row per node down to `depth` levels below the root; equal siblings share a row, small ones are summed up.
Table treeTable(const trace::MemoryNode& tree, trace::Grouping grouping, std::size_t depth);

/// One row per phase, with its peak.
Table phaseTable(const report::TraceAnswer& answer);

} // namespace headroom::cli
