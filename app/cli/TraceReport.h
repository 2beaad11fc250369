// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/Report.h"
#include "app/cli/TraceSubject.h"
#include "core/protocol/RepeatResult.h"
#include "experiments/report/TraceAnswer.h"
#include "profiling/trace/MemoryTree.h"

#include <cstddef>
#include <vector>

namespace headroom::cli {

/// Everything that `headroom trace show` has found out.
struct TraceFindings {
    TraceSubject subject;
    report::TraceAnswer answer;
    protocol::RepeatResult result; ///< of the traced repeat
    std::vector<store::DiagnosticRow> diagnostics; ///< of the traced repeat

    /// Events or records are known to be lost: peaks are at least what is said.
    bool isLowerBound() const;
};

/// How a tree is shown.
struct TreeView {
    trace::Grouping grouping = trace::Grouping::Module;
    std::size_t depth = 3; ///< levels below the root
};

/// For people and programs; docs/contract.md has the keys.
Report traceReport(const TraceFindings& findings, const TreeView& view);

} // namespace headroom::cli
