// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/runs/RunJob.h"
#include "ui/runs/RunQueue.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <optional>
#include <set>
#include <stop_token>

namespace headroom::ui {

/// How far everything in the queue is that has been there since it was last empty.
struct OverallProgress {
    int done = 0;
    int total = 0;
    std::optional<double> secondsLeft; ///< nothing before a repeat has shown how long they take
};

/// Runs experiments one after the other on a thread of its own, each trial in a worker process, so that nothing that a
/// trial does reaches the window. What happens is delivered at most ten times a second. For the UI thread; a run that
/// is under way when the service goes is stopped, and what is finished is kept.
class RunService : public QObject {
    Q_OBJECT

public:
    using TrialIndices = QueuedRun::TrialIndices;

    explicit RunService(QObject* parent = nullptr);
    ~RunService() override;

    /// Adds an experiment behind the others; it begins at once where nothing is running. Returns its number.
    int enqueue(RunRequest request);

    /// What is in the queue, to be looked at and put in another order; a run under way follows.
    RunQueue& queue() { return m_queue; }
    const RunQueue& queue() const { return m_queue; }
    /// The experiment that is being run; null for none.
    std::shared_ptr<const QueuedRun> active() const { return m_active; }

    /// An experiment is being run, be it paused.
    bool isBusy() const { return m_active != nullptr; }
    /// What is left waits for `resume`, or will when the repeat that is running has ended.
    bool isPaused() const { return m_isPaused && (m_active || m_queue.firstWaiting()); }
    /// A pause was asked for, and a repeat has yet to come to its end.
    bool isPausing() const;
    /// A stop was asked for, and the run has yet to come to its end.
    bool isStopping() const { return m_active != nullptr && m_stop.stop_requested(); }
    OverallProgress progress() const;
    /// "2 of 8 trials, about 40 s left"; empty where nothing is in the queue.
    QString statusText() const;

    /// Ends this trial, where it is the one running, as cancelled; the next one follows.
    void stopTrial(int run, std::size_t trial);
    /// Runs what failed, timed out, was cancelled or not run once more, by trial ids; completed trials and those that
    /// ran out of memory are results and are kept.
    void retry(const QStringList& trialIds);

public Q_SLOTS:
    /// After the repeat that is running.
    void pause();
    void resume();
    /// Ends the run at once; what is finished is kept, what waits behind it waits for `resume` or the next `enqueue`.
    void stop();
    /// Ends the trial that is running.
    void stopTrial();
    void retryAllFailed();

Q_SIGNALS:
    /// Anything at all; at most ten times a second while a run goes on.
    void changed();
    /// At most once a second, and at the end of a run.
    void repeatStored(const QString& workspace);
    void runFinished(const QString& summary, const QString& meaning);
    void logAppended(const headroom::ui::LogLines& lines, qint64 dropped);
    /// A sentence on why an experiment could not be carried out and what can be done.
    void failed(const QString& message);
    /// The same where the workspace is why, before `failed`. What waits behind the run waits for `resume`: it would end
    /// in the same way.
    void workspaceLost(const headroom::ui::LostWorkspace& lost);

private:
    void startNext();
    void start(const RunQueue::Run& run);
    void wake();
    void deliver();
    void take(const RunBatch& batch);
    void noteStored();
    void tellStored();
    void finish(const RunEnd& end);
    void log(const QString& text);
    void followQueue();

    RunQueue m_queue;
    RunQueue::Run m_active;
    std::shared_ptr<RunFeed> m_feed; ///< of the active run, as are the next two
    std::shared_ptr<experiments::RunControl> m_control;
    std::stop_source m_stop;
    RepeatTimes m_times;
    std::set<int> m_batch; ///< runs that have been in the queue since it was last done
    bool m_isPaused = false;
    QTimer m_delivery;
    QElapsedTimer m_sinceDelivery;
    QTimer m_storedNotice;
    QTimer m_heartbeat;
    QString m_storedWorkspace; ///< has something new that has not been told
    JobThread m_jobs; ///< goes first, while what its job delivers to is there
};

} // namespace headroom::ui
