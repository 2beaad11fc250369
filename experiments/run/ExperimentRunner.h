// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/RunOptions.h"
#include "experiments/archive/UnsavedRun.h"
#include "experiments/results/ResultsDocument.h"
#include "experiments/run/RunObserver.h"
#include "experiments/spec/ExperimentSpec.h"
#include "experiments/sweep/Sweep.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace headroom::experiments {

/// Runs the trials of an experiment in worker processes and keeps the results in a workspace.
class ExperimentRunner {
public:
    /// `observer` must outlive the runner.
    ExperimentRunner(RunOptions options, RunObserver& observer);

    /// Runs `trials` (of `expand`, perhaps filtered) and stores each repeat as soon as it ended. A trial that crashes,
    /// hangs or runs out of memory is an outcome and the next one follows. Throws UsageError before anything is
    /// written for an unknown simulated device, FileError when the workspace cannot be written or the worker cannot
    /// be started at all; where the workspace is damaged, gone or full (store::UnusableFileError), unsaved() has what
    /// there is.
    ResultsDocument run(
        const ExperimentSpec& spec, const std::vector<PlannedTrial>& trials, const std::filesystem::path& workspace);

    /// Of the last run.
    const RunSummary& summary() const { return m_summary; }
    /// What the last run had when its workspace could not take any more; null where that did not happen.
    const std::shared_ptr<const UnsavedRun>& unsaved() const { return m_unsaved; }

private:
    RunOptions m_options;
    RunObserver& m_observer;
    RunSummary m_summary;
    std::shared_ptr<const UnsavedRun> m_unsaved;
};

} // namespace headroom::experiments
