// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/trace/TraceSubject.h"
#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"
#include "experiments/report/reading/TraceAnswer.h"
#include "experiments/verdict/PeakSentences.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// The trial that is compared with.
struct ComparedTrial {
    store::TrialRow trial;
    trace::PeakProfile profile;
    bool isFromTrace = false; ///< otherwise from its record's breakdown: its phases are not known
};

/// Everything that `headroom trace show` has found out.
struct TraceFindings {
    TraceSubject subject;
    config::Trial trial;
    protocol::RepeatResult result; ///< of the traced repeat
    std::vector<store::DiagnosticRow> diagnostics; ///< of the traced repeat
    report::TraceAnswer answer;
    std::vector<experiments::TechniqueAtPeak> techniques; ///< that are on
    std::optional<std::string> noEffect; ///< why the sweep flags the trial so; nothing where it does not
    std::optional<ComparedTrial> against;

    /// Events or records are known to be lost, or were never seen: peaks are at least what is said.
    bool isLowerBound() const;
};

/// What is asked.
struct TraceShowQuestion {
    std::string trial;
    std::string experiment; ///< empty: all
    std::string against; ///< empty: nothing is compared
    std::optional<std::int64_t> timeNs; ///< since the start of the trace; nothing: the peak
};

/// Throws UsageError, FileError.
TraceFindings findInTrace(store::Workspace& workspace, const TraceShowQuestion& question);

} // namespace headroom::cli
