// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/StoredExperiment.h"
#include "experiments/results/ResultsDocument.h"
#include "experiments/results/SettingsPool.h"
#include "experiments/verdict/DeviceFit.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// The results of stored trials, which come one at a time: of each only its result is kept.
class StoredResults {
public:
    /// `deviceFit` must outlive it. What depends on the profile of a simulated device is unknown where that is not here
    /// (a workspace from another machine).
    /// `trials`: how many there will be; a vector that grows takes up to three times its room.
    StoredResults(std::string experiment, std::size_t trials, DeviceFit& deviceFit);

    void add(const StoredTrial& trial);
    /// The result of each trial, Outcome::NotRun where it was not reached, with the flags of the whole sweep.
    SweepResults take();

private:
    std::string m_experiment;
    DeviceFit& m_deviceFit;
    SettingsPool m_pool;
    SweepResults m_results;
};

/// The trials that are there counted by outcome, with their flags; nothing of how a run ended.
RunSummary countedSummary(const std::string& experiment, const SweepResults& results);

/// The summary of the run that stored the experiment. Where it has not come to its end, it counts what is there; wall
/// time, exit code and whether it was interrupted are null, as nobody has said so.
OrderedJson summaryOf(const StoredExperiment& experiment, const SweepResults& results);

/// What the run that stored the experiment printed.
ResultsDocument resultsOf(const StoredExperiment& experiment, DeviceFit& deviceFit);
/// The same, read from the workspace with one trial in memory at a time. Throws as readExperiment() does.
ResultsDocument readResults(store::Workspace& workspace, const store::ExperimentRow& row, DeviceFit& deviceFit);

} // namespace headroom::experiments
