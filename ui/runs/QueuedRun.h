// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/QueueMove.h"
#include "ui/runs/RepeatTimes.h"
#include "ui/runs/RunBatch.h"
#include "ui/runs/RunRequest.h"

#include <QString>

#include <memory>
#include <set>
#include <vector>

namespace headroom::ui {

/// Where an experiment is on its way through the queue. Failed: it could not be carried out at all.
enum class RunState { Waiting, Running, Paused, Finished, Stopped, Failed };

/// One experiment of the queue and what is known of its trials. For the UI thread.
class QueuedRun {
public:
    using TrialIndices = std::vector<std::size_t>; ///< among the trials of the request

    /// Counts over its trials but those that are skipped.
    struct Counts {
        int done = 0; ///< with a result; what was stopped has none
        int total = 0;
    };

    QueuedRun(int id, RunRequest request, RepeatTimes& times);

    int id() const { return m_id; }
    const RunRequest& request() const { return *m_request; }
    QString name() const { return QString::fromStdString(m_request->spec.name); }
    /// The device where all its trials have the same, else how many there are.
    const QString& devicesText() const { return m_devices; }
    RunState state() const { return m_state; }
    /// How it ended, in a sentence; empty before.
    const QString& message() const { return m_message; }

    const experiments::PlannedTrial& planned(std::size_t trial) const { return m_request->trials[trial]; }
    const TrialProgress& progress(std::size_t trial) const { return m_progress[trial]; }
    /// Of the trials that are in the queue, as they are shown and run.
    const TrialIndices& order() const { return m_order; }
    Counts counts() const;
    /// Of the repeats that are still to be run; nothing before any repeat has shown it, or where one takes far longer.
    std::optional<RepeatTimes::Seconds> remaining(const RepeatTimes& times) const;
    bool isMovable(std::size_t trial) const;

    /// What is to be run now: the request, with those trials only that wait.
    std::shared_ptr<const RunRequest> begin();
    /// Ids of the trials in the order in which they are to be run.
    std::vector<std::string> orderedIds() const;
    /// Takes in what happened; returns the trials that changed.
    TrialIndices apply(const RunBatch& batch, RepeatTimes& times);
    /// The run came to its end: what was not reached can be retried. Returns the trials that changed.
    TrialIndices end(RunState state, const QString& message);
    /// The running trial, where there is one.
    std::optional<std::size_t> running() const;

    /// Trials of these that can be retried wait again; returns whether there were any.
    bool retry(const TrialIndices& trials);
    bool canRetry(std::size_t trial) const { return canBeRetried(m_progress[trial].state); }
    TrialIndices retriable() const;
    bool canRemove(std::size_t trial) const;
    /// Takes the trial out of the queue; false where it has begun already.
    bool remove(std::size_t trial);
    /// Moves those that wait; false where nothing comes of it.
    bool move(const TrialIndices& trials, QueueMove direction);
    /// Moves those that wait to before the row.
    bool moveTo(const TrialIndices& trials, std::size_t row);

private:
    TrialIndices waiting() const;
    bool rearrange(const TrialIndices& waitingInNewOrder);

    int m_id;
    std::shared_ptr<const RunRequest> m_request;
    QString m_devices;
    RunState m_state = RunState::Waiting;
    QString m_message;
    std::vector<TrialProgress> m_progress;
    std::vector<std::size_t> m_kinds; ///< of RepeatTimes
    TrialIndices m_order;
    TrialIndices m_attempt; ///< trials of the run under way, by their index in its request
    std::set<std::size_t> m_again; ///< to be run once more when the run under way has ended
    bool m_isStored = false; ///< the workspace has the experiment: a retry resumes it
};

} // namespace headroom::ui
