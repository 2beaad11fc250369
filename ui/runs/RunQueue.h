// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/QueuedRun.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

namespace headroom::ui {

/// The experiments of a RunService, in the order in which they are run, those that have ended included; and what people
/// do with the order. For the UI thread.
class RunQueue : public QObject {
    Q_OBJECT

public:
    using Run = std::shared_ptr<QueuedRun>;
    using TrialIndices = QueuedRun::TrialIndices;

    using QObject::QObject;

    const std::vector<Run>& runs() const { return m_runs; }
    /// Null where there is no such run.
    Run find(int id) const;
    /// The first one that waits; null for none.
    Run firstWaiting() const;
    bool hasRetriable() const;

    /// Adds an experiment behind the others and returns its number.
    int add(RunRequest request, RepeatTimes& times);
    /// Takes it out; one that is running is left alone.
    void remove(int run);
    /// Takes out all that have ended.
    void removeEnded();
    /// Among those that wait.
    void move(int run, QueueMove direction);
    void moveTo(int run, std::size_t row);
    /// Trials that have not begun.
    void removeTrials(int run, const TrialIndices& trials);
    void moveTrials(int run, const TrialIndices& trials, QueueMove direction);
    void moveTrialsTo(int run, const TrialIndices& trials, std::size_t row);
    /// Trials that failed, timed out, were cancelled or not run wait again.
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
    /// Some trials of the run wait again.
    void retried(int run);

private:
    void rearrangeWaiting(std::vector<Run> waiting);
    std::vector<Run> waiting() const;

    std::vector<Run> m_runs;
    int m_lastId = 0;
};

} // namespace headroom::ui
