// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/run/RunObserver.h"

#include <vector>

namespace headroom::cli {

/// Forwards every call to several observers, in the order in which they were added.
class ObserverGroup : public experiments::RunObserver {
public:
    /// `observer` must outlive the group.
    void add(experiments::RunObserver& observer) { m_observers.push_back(&observer); }

    void runStarted(const std::string& experiment, std::span<const experiments::PlannedTrial> trials) override;
    void repeatStarted(const experiments::PlannedTrial& trial, int repeat) override;
    void phaseStarted(const experiments::PlannedTrial& trial, const std::string& phase, std::int64_t step) override;
    void stepFinished(const experiments::PlannedTrial& trial, std::int64_t step, std::int64_t total) override;
    void sampleTaken(const experiments::PlannedTrial& trial, std::int64_t step, double seconds) override;
    void repeatFinished(
        const experiments::PlannedTrial& trial, int repeat, const protocol::RepeatResult& result) override;
    void trialFinished(const experiments::PlannedTrial& trial, const experiments::TrialResult& result) override;
    void remark(const std::string& text) override;
    void workerLog(const experiments::PlannedTrial& trial, const std::string& line) override;
    void runPaused() override;
    void runResumed() override;
    void runFinished(const experiments::RunSummary& summary) override;

private:
    std::vector<experiments::RunObserver*> m_observers;
};

} // namespace headroom::cli
