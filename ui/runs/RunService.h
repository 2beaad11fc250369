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

/// The progress of everything that has been in the queue since it was last empty.
struct OverallProgress {
    int done = 0;
    int total = 0;
    std::optional<double> secondsLeft; ///< nullopt until a repeat has shown how long they take
};

/// Runs experiments one after the other on its own thread, each trial in a worker process, so that nothing a trial does
/// can affect the window. Events are delivered at most ten times a second. For the UI thread; the destructor stops a
/// run that is under way and keeps what has finished.
class RunService : public QObject {
    Q_OBJECT

public:
    using TrialIndices = QueuedRun::TrialIndices;

    explicit RunService(QObject* parent = nullptr);
    ~RunService() override;

    /// Appends an experiment, which begins at once if nothing is running. Returns its number.
    int enqueue(RunRequest request);

    /// The queue, to be read and reordered; a run under way follows its order.
    RunQueue& queue() { return m_queue; }
    const RunQueue& queue() const { return m_queue; }
    /// The experiment that is running; null if there is none.
    std::shared_ptr<const QueuedRun> active() const { return m_active; }

    /// Whether an experiment is running or paused.
    bool isBusy() const { return m_active != nullptr; }
    /// The remaining trials wait for `resume`, or will do so when the current repeat has ended.
    bool isPaused() const { return m_isPaused && (m_active || m_queue.firstWaiting()); }
    /// A pause was requested, but the current repeat has not ended yet.
    bool isPausing() const;
    /// A stop was requested, but the run has not ended yet.
    bool isStopping() const { return m_active != nullptr && m_stop.stop_requested(); }
    OverallProgress progress() const;
    /// "2 of 8 trials, about 40 s left"; empty if the queue is empty.
    QString statusText() const;

    /// Ends this trial as cancelled if it is running; the next one follows.
    void stopTrial(int run, std::size_t trial);
    /// Runs again, by trial id, what failed, timed out, was cancelled or was not run. Completed and out-of-memory
    /// trials are results and are kept.
    void retry(const QStringList& trialIds);

public Q_SLOTS:
    /// Pauses after the current repeat.
    void pause();
    void resume();
    /// Ends the run at once and keeps what has finished. Experiments behind it wait for `resume` or the next `enqueue`.
    void stop();
    /// Ends the running trial.
    void stopTrial();
    void retryAllFailed();

Q_SIGNALS:
    /// Anything has changed. Emitted at most ten times a second during a run.
    void changed();
    /// Emitted at most once a second, and at the end of a run.
    void repeatStored(const QString& workspace);
    void runFinished(const QString& summary, const QString& meaning);
    void logAppended(const headroom::ui::LogLines& lines, qint64 dropped);
    /// The experiment could not be run; the message says why and what can be done.
    void failed(const QString& message);
    /// Emitted before `failed` if the workspace is the reason. Experiments behind the run wait for `resume`, as they
    /// would end in the same way.
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
    std::shared_ptr<RunFeed> m_feed; ///< of the active run, like the next two
    std::shared_ptr<experiments::RunControl> m_control;
    std::stop_source m_stop;
    RepeatTimes m_times;
    std::set<int> m_batch; ///< runs that have been in the queue since it was last finished
    bool m_isPaused = false;
    QTimer m_delivery;
    QElapsedTimer m_sinceDelivery;
    QTimer m_storedNotice;
    QTimer m_heartbeat;
    QString m_storedWorkspace; ///< has new results that have not been announced
    JobThread m_jobs; ///< destroyed first, while the members that its job delivers to still exist
};

} // namespace headroom::ui
