// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "experiments/results/RunSummary.h"
#include "experiments/sweep/Sweep.h"

#include <cstdint>
#include <span>
#include <string>

namespace headroom::experiments {

/// Follows a run. All calls come from the thread that runs the experiment, one repeat after the other: what came of
/// simulated trials that ran side by side is told in their order, and may have been in the workspace for some time.
/// Every default does nothing.
class RunObserver {
public:
    virtual ~RunObserver() = default;

    /// Everything is checked, the first trial comes next.
    virtual void runStarted(const std::string& /*experiment*/, std::span<const PlannedTrial> /*trials*/) { }
    /// A repeat begins (0 is the first).
    virtual void repeatStarted(const PlannedTrial& /*trial*/, int /*repeat*/) { }
    virtual void phaseStarted(const PlannedTrial& /*trial*/, const std::string& /*phase*/, std::int64_t /*step*/) { }
    virtual void stepFinished(const PlannedTrial& /*trial*/, std::int64_t /*step*/, std::int64_t /*total*/) { }
    virtual void sampleTaken(const PlannedTrial& /*trial*/, std::int64_t /*step*/, double /*seconds*/) { }
    virtual void repeatFinished(const PlannedTrial& /*trial*/, int /*repeat*/, const protocol::RepeatResult& /*result*/)
    {
    }
    /// The last repeat of the trial ended, or it was skipped, or its results were there already (resume).
    virtual void trialFinished(const PlannedTrial& /*trial*/, const TrialResult& /*result*/) { }
    /// Something worth a line that is no result: lost trace rows, a worker that had to be started again.
    virtual void remark(const std::string& /*text*/) { }
    /// A line of the worker's log (its standard error) while it carried out this trial.
    virtual void workerLog(const PlannedTrial& /*trial*/, const std::string& /*line*/) { }
    /// The run waits before its next repeat until RunControl resumes or stops it.
    virtual void runPaused() { }
    virtual void runResumed() { }
    virtual void runFinished(const RunSummary& /*summary*/) { }

    /// For the runner: calls what a worker's event is for.
    void workerSaid(const PlannedTrial& trial, const protocol::WorkerEvent& event);
};

} // namespace headroom::experiments
