// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/TracedRepeat.h"
#include "profiling/store/Workspace.h"

#include <string>

namespace headroom::cli {

/// A trial that has a trace.
struct TraceSubject {
    store::ExperimentRow experiment;
    store::TrialRow trial;
    store::RepeatRow repeat; ///< the first one that has a trace
    report::TracedRepeat traced;
};

/// The trial that is meant by an id, the beginning of one, or a label ("cpu | baseline", or "baseline" where only one
/// trial is called that), of the experiment that is meant (its name or number), of all of them where that is empty. The
/// same trial in several experiments: the newest one with a trace. Throws UsageError for a trial that is not there, is
/// ambiguous or has no trace, FileError for a workspace without experiments.
TraceSubject chooseTrace(store::Workspace& workspace, const std::string& trial, const std::string& experiment);

} // namespace headroom::cli
