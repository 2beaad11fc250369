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

/// The trial that the user means, in one of the experiments that contain it.
struct TrialChoice {
    store::ExperimentRow experiment;
    store::TrialRow trial;
};

/// The user's arguments: `trial` is an id, a prefix of one, or a label ("cpu | baseline", or "baseline" if only one
/// trial has that name); `experiment` is a name or number, or empty for all experiments.
struct TrialName {
    std::string trial;
    std::string experiment;
    std::string where; ///< the argument, for messages
};

/// The trial that is meant, once for each experiment that contains it, newest first. Throws UsageError for a missing or
/// ambiguous trial, FileError for a workspace without experiments.
std::vector<TrialChoice> chooseTrial(store::Workspace& workspace, const TrialName& name);

/// The newest of them that has a trace; nullopt if none has one.
std::optional<TraceSubject> tracedOf(store::Workspace& workspace, const std::vector<TrialChoice>& choices);

/// The trial that is meant, with its trace. Throws what chooseTrial throws, and UsageError if the trial has no trace.
TraceSubject chooseTrace(store::Workspace& workspace, const TrialName& name);

/// Adds --experiment E: the experiment of the workspace in which to look for the trial.
void addExperimentOption(CLI::App& command, std::string& experiment);

/// Adds TRIAL: one trial of a workspace, required.
void addTrialOption(CLI::App& command, std::string& trial);

} // namespace headroom::cli
