// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/trace/TraceSubject.h"
#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"
#include "experiments/report/reading/BlockTrees.h"
#include "experiments/report/reading/TraceAnswer.h"
#include "experiments/verdict/PeakSentences.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// The trial with which the shown trial is compared.
struct ComparedTrial {
    store::TrialRow trial;
    trace::PeakProfile profile;
    bool isFromTrace = false; ///< otherwise from its record's breakdown, and its phases are unknown
};

/// Everything that `headroom trace show` has found out.
struct TraceFindings {
    TraceSubject subject;
    config::Trial trial;
    protocol::RepeatResult result; ///< of the traced repeat
    std::vector<store::DiagnosticRow> diagnostics; ///< of the traced repeat
    report::TraceAnswer answer;
    std::vector<experiments::TechniqueAtPeak> techniques; ///< those that are on
    std::optional<std::string> noEffect; ///< why the sweep flags the trial as no_effect; nullopt if it does not
    std::optional<ComparedTrial> against;

    /// Whether peaks are lower bounds, because events or records were lost or never seen.
    bool isLowerBound() const;

    std::optional<trace::MemoryNode> blockTree{}; ///< by what was asked for, where that is of blocks
};

/// What was held at the instant, as a tree.
trace::MemoryNode treeOf(const TraceFindings& findings, trace::Grouping grouping);

/// The question that `headroom trace show` answers.
struct TraceShowQuestion {
    std::string trial;
    std::string experiment; ///< empty: all
    std::string against; ///< empty: nothing is compared
    std::optional<std::int64_t> timeNs; ///< since the start of the trace; nullopt: the peak
    trace::Grouping grouping = trace::Grouping::Module; ///< of the tree
};

/// Throws UsageError, FileError.
TraceFindings findInTrace(store::Workspace& workspace, const TraceShowQuestion& question);

} // namespace headroom::cli
