// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/TrialQueue.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace headroom::experiments {

/// Steers a run that is under way, from any thread. Repeats that are running are left alone by everything but
/// `stopTrial`; what is asked for takes effect before the next one. Without a word from outside nothing is changed.
class RunControl {
public:
    /// The run waits after the repeats that are running, until `resume` or a stop of the run.
    void pause();
    void resume();
    bool isPaused() const;

    /// These trials come first within a round of repeats, in this order, the others behind them as planned. Rounds
    /// stay: a second repeat never comes before another trial's first.
    void setOrder(const std::vector<std::string>& trialIds);
    /// The trial is not run again in this run; what it has is kept.
    void removeTrial(const std::string& trialId);
    /// Removes the trial; its repeat, where one is running, ends as cancelled. The run goes on.
    void stopTrial(const std::string& trialId);

    /// For the runner: returns at once where the run is not paused.
    void waitWhilePaused(const std::stop_token& stop) const;
    /// For the runner: applies what was asked for since the last call to the repeats that are still to be run. Returns
    /// the trials that lost some.
    std::set<std::size_t> arrange(std::deque<RepeatTask>& pending, std::span<const PlannedTrial> trials);
    /// For the runner: a repeat of this trial begins; `stopTrial` requests this stop, also where it was called before.
    void beginRepeat(const std::string& trialId, const std::stop_source& stop);
    void endRepeat(const std::string& trialId, const std::stop_source& stop);
    /// For the runner: called after each change, on the thread that makes it; null: nobody. No call is under way any
    /// more when this returns.
    void setListener(std::function<void()> listener);

private:
    void tellListener();

    mutable std::mutex m_mutex;
    mutable std::condition_variable_any m_resumed;
    bool m_isPaused = false;
    bool m_isChanged = false; ///< since the last call of `arrange`
    std::unordered_map<std::string, std::size_t> m_ranks;
    std::unordered_set<std::string> m_removed;
    std::unordered_set<std::string> m_stopped; ///< removed ones whose repeat is not to run to its end either
    std::unordered_multimap<std::string, std::stop_source> m_running; ///< of each repeat, by trial
    std::mutex m_listenerMutex;
    std::function<void()> m_listener; ///< guarded by that
};

} // namespace headroom::experiments
