// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "app/cli/trace/TraceFindings.h"
#include "profiling/trace/peaks/MemoryTree.h"

#include <cstddef>

namespace headroom::cli {

/// How the memory tree is shown.
struct TreeView {
    trace::Grouping grouping = trace::Grouping::Module;
    std::size_t depth = 3; ///< levels below the root
};

/// The report for people and programs; docs/contract.md lists the keys.
Report traceReport(const TraceFindings& findings, const TreeView& view);

} // namespace headroom::cli
