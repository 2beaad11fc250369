// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/UnsavedRun.h"
#include "ui/jobs/JobThread.h"
#include "ui/results/WorkspaceReader.h"

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <vector>

namespace headroom::ui {

/// The state of the open workspace. Missing: its file was deleted or moved; Replaced: another file has taken its place
/// and is shown now; Damaged: it cannot be read.
enum class WorkspaceState { Sound, Missing, Replaced, Damaged };

/// The results that runs still had in memory when their workspace could not store any more.
using UnsavedRuns = std::vector<std::shared_ptr<const experiments::UnsavedRun>>;

/// The open workspace and the experiments that all views show. It reads on its own thread and connection; the results
/// it passes on are immutable.
class WorkspaceService : public QObject {
    Q_OBJECT

public:
    explicit WorkspaceService(QObject* parent = nullptr);
    ~WorkspaceService() override;

    /// Opens a workspace and shows its newest experiment. If that fails, the current one stays open.
    void open(const QString& path);
    /// Creates a new workspace and opens it; fails if the file exists.
    void create(const QString& path);
    /// Opens the workspace or creates it if it does not exist; used for the default workspace, which the user has not
    /// chosen.
    void openOrCreate(const QString& path);

    /// Empty until a workspace has been opened.
    const QString& path() const { return m_path; }
    const Experiments& experiments() const { return m_content.experiments; }
    const Results& results() const { return m_content.results; }
    /// Covers all experiments of the workspace; null until it has been read.
    const RepeatDurations& durations() const { return m_content.durations; }

    /// The state of its file; the views keep showing what was read last.
    WorkspaceState state() const { return m_state; }
    /// The same in a sentence; empty if the workspace is sound.
    const QString& stateText() const { return m_stateText; }
    /// The user has acknowledged that the file was replaced.
    void acceptState();

    /// Saves what can still be read of the workspace in a new file, together with what runs could not store, and opens
    /// that file. Ends with `saved`, or with `failed` and `notSaved`.
    void saveElsewhere(const QString& path, const UnsavedRuns& runs);

    /// Shows this experiment from now on.
    void showExperiment(qint64 id);
    /// Shows these together, in this order; none: the newest.
    void showExperiments(const QList<qint64>& ids);
    /// Shows the newest experiment, and follows as newer ones appear.
    void showNewest();
    bool isFollowingNewest() const { return m_wanted.experiments.empty(); }

    /// Compares the other trials of this one's case with it from now on; if that is so already, with the usual
    /// reference again. The choice is lost when other experiments are shown.
    void toggleReference(const QString& trial);
    bool isReference(const QString& trial) const { return m_wanted.references.contains(trial.toStdString()); }

    /// Deletes these trials of the shown results from the workspace, in the background; nothing brings them back. Ends
    /// with `trialsDeleted`, or with `failed` if a run is at one of their experiments.
    void deleteTrials(const QStringList& trials);

    /// Reads what has changed. May be called at any rate, in particular during a run: only one read runs at a time,
    /// followed by a pause as long as the read took.
    void refresh();

Q_SIGNALS:
    void opened(const QString& path);
    void experimentsChanged();
    void resultsChanged(const headroom::ui::Results& results);
    void failed(const QString& message);
    /// state() or stateText() has changed.
    void stateChanged();
    void saved(const QString& path, const QString& what);
    void trialsDeleted(qint64 trials);
    void notSaved(const QString& why);

private:
    enum class Cause { Asked, Refresh };
    /// The outcome of one attempt to read.
    struct ReadAnswer {
        std::optional<WorkspaceContent> content;
        WorkspaceState state = WorkspaceState::Sound;
        QString problem; ///< set if it could not be read
    };
    using OpenWay = void (WorkspaceReader::*)(const std::filesystem::path&);

    void beginOpening(const QString& path, OpenWay way);
    void takeOpened(const QString& path);
    void want(const Wanted& wanted);
    void takeDeleted(const std::vector<std::int64_t>& gone, qint64 trials);
    void read(Cause cause);
    static ReadAnswer readBy(WorkspaceReader& reader, const Wanted& wanted, const ReadMark& known);
    void takeAnswer(const Wanted& wanted, Cause cause, ReadAnswer answer);
    void take(const Wanted& wanted, std::optional<WorkspaceContent> content);
    void setState(WorkspaceState state, const QString& text);
    void refuse(Cause cause, const QString& message);
    void endReading();

    std::shared_ptr<WorkspaceReader> m_reader; ///< used on the job thread only
    QString m_path;
    Wanted m_wanted;
    WorkspaceContent m_content;
    WorkspaceState m_state = WorkspaceState::Sound;
    QString m_stateText;
    QString m_complaint; ///< the failure that was reported last
    int m_opening = 0;
    bool m_isReading = false;
    bool m_isDue = false; ///< to be read again after the current read
    QElapsedTimer m_readTime;
    QTimer m_pause;
    JobThread m_jobs; ///< last member, so that it is destroyed first
};

} // namespace headroom::ui
