// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/reading/TracedRepeat.h"
#include "profiling/store/workspace/Workspace.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headroom::cli {

/// A trial that has a trace.
struct TraceSubject {
    store::ExperimentRow experiment;
    store::TrialRow trial;
    store::RepeatRow repeat; ///< the first one that has a trace
    report::TracedRepeat traced;
};

/// A trial that is meant, in one of the experiments that have it.
struct TrialChoice {
    store::ExperimentRow experiment;
    store::TrialRow trial;
};

/// What the user said: `trial` is an id, the beginning of one, or a label ("cpu | baseline", or "baseline" where only
/// one trial is called that); `experiment` a name or number, all of them where it is empty.
struct TrialName {
    std::string trial;
    std::string experiment;
    std::string where; ///< the argument, for messages
};

/// The trial that is meant, once for each experiment that has it, newest first. Throws UsageError for a trial that is
/// not there or is ambiguous, FileError for a workspace without experiments.
std::vector<TrialChoice> chooseTrial(store::Workspace& workspace, const TrialName& name);

/// The newest of them with a trace; nothing where none has one.
std::optional<TraceSubject> tracedOf(store::Workspace& workspace, const std::vector<TrialChoice>& choices);

/// The trial that is meant, with its trace. Throws what chooseTrial throws, and UsageError where it has no trace.
TraceSubject chooseTrace(store::Workspace& workspace, const TrialName& name);

/// --experiment E: in which experiment of the workspace a trial is looked for.
void addExperimentOption(CLI::App& command, std::string& experiment);

/// TRIAL: one trial of a workspace, required.
void addTrialOption(CLI::App& command, std::string& trial);

} // namespace headroom::cli
