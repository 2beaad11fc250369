// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/QueuedRun.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

namespace headroom::ui {

/// The experiments of a RunService in the order in which they run, including those that have ended, and the operations
/// with which users change that order. For the UI thread.
class RunQueue : public QObject {
    Q_OBJECT

public:
    using Run = std::shared_ptr<QueuedRun>;
    using TrialIndices = QueuedRun::TrialIndices;

    using QObject::QObject;

    const std::vector<Run>& runs() const { return m_runs; }
    /// Null if there is no such run.
    Run find(int id) const;
    /// The first waiting run; null if there is none.
    Run firstWaiting() const;
    bool hasRetriable() const;

    /// Appends an experiment and returns its number.
    int add(RunRequest request, RepeatTimes& times);
    /// Removes the run unless it is running.
    void remove(int run);
    /// Removes all runs that have ended.
    void removeEnded();
    /// Moves the run among those that are waiting.
    void move(int run, QueueMove direction);
    void moveTo(int run, std::size_t row);
    /// Removes trials that have not begun.
    void removeTrials(int run, const TrialIndices& trials);
    void moveTrials(int run, const TrialIndices& trials, QueueMove direction);
    void moveTrialsTo(int run, const TrialIndices& trials, std::size_t row);
    /// Queues again the trials that failed, timed out, were cancelled or were not run.
    void retry(int run, const TrialIndices& trials);
    void retryAll();

Q_SIGNALS:
    void added(int run);
    void removed(int run);
    void reordered();
    void changed(int run);
    void trialsChanged(int run, const std::vector<std::size_t>& trials);
    void trialsReordered(int run);
    void trialsRemoved(int run, const std::vector<std::size_t>& trials);
    /// Some trials of the run are waiting again.
    void retried(int run);

private:
    void rearrangeWaiting(std::vector<Run> waiting);
    std::vector<Run> waiting() const;

    std::vector<Run> m_runs;
    int m_lastId = 0;
};

} // namespace headroom::ui
