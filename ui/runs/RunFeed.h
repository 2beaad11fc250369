// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/run/RunObserver.h"
#include "ui/runs/RunBatch.h"
#include "ui/runs/RunRequest.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace headroom::ui {

/// Observes a run on its thread and collects what happens until the UI thread takes it, so that many events become few
/// deliveries.
class RunFeed : public experiments::RunObserver {
public:
    /// `notify` is called on the run's thread when the feed becomes non-empty.
    RunFeed(std::shared_ptr<const RunRequest> request, std::function<void()> notify);

    /// What happened since the last call.
    RunBatch take();

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

    /// At most this many lines are kept between two deliveries; the oldest are dropped first.
    static constexpr qsizetype kMostLogLines = 2000;

private:
    template <typename Change> void change(const experiments::PlannedTrial& trial, Change apply);
    template <typename Change> void changeBatch(Change apply);
    void addLine(LogLine line);

    std::shared_ptr<const RunRequest> m_request;
    std::function<void()> m_notify;
    std::unordered_map<std::string, std::size_t> m_index; ///< index of each trial in the request, by id
    std::map<std::size_t, TrialProgress> m_begun; ///< trials that have begun; used on the run's thread only
    bool m_isUnstored = false; ///< a repeat has finished and is being stored

    std::mutex m_mutex; ///< guards the members below
    RunBatch m_batch;
    std::map<std::size_t, TrialProgress> m_changed;
    bool m_isTaken = true; ///< nothing has happened since the last take()
};

} // namespace headroom::ui
