// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/Report.h"
#include "app/cli/TraceFindings.h"
#include "profiling/trace/MemoryTree.h"

#include <cstddef>

namespace headroom::cli {

/// How a tree is shown.
struct TreeView {
    trace::Grouping grouping = trace::Grouping::Module;
    std::size_t depth = 3; ///< levels below the root
};

/// For people and programs; docs/contract.md has the keys.
Report traceReport(const TraceFindings& findings, const TreeView& view);

} // namespace headroom::cli
