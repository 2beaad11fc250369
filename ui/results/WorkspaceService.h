// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/UnsavedRun.h"
#include "ui/jobs/JobThread.h"
#include "ui/results/WorkspaceReader.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace headroom::ui {

/// What is wrong with the workspace that is open. Missing: its file was deleted or moved; Replaced: another file has
/// taken its place since, which is shown now; Damaged: it cannot be read.
enum class WorkspaceState { Sound, Missing, Replaced, Damaged };

/// What runs had in memory when their workspace could not take any more.
using UnsavedRuns = std::vector<std::shared_ptr<const experiments::UnsavedRun>>;

/// The open workspace and the experiment that all views show. Reads on a thread and connection of its own; what it
/// hands out is immutable.
class WorkspaceService : public QObject {
    Q_OBJECT

public:
    explicit WorkspaceService(QObject* parent = nullptr);
    ~WorkspaceService() override;

    /// Opens a workspace and shows its newest experiment. Where that fails, the one that is open stays.
    void open(const QString& path);
    /// Makes a new workspace, where no such file is, and opens it.
    void create(const QString& path);
    /// Opens the workspace, made where there is none: the one that a user has not chosen.
    void openOrCreate(const QString& path);

    /// Empty before the first was opened.
    const QString& path() const { return m_path; }
    const Experiments& experiments() const { return m_content.experiments; }
    const Results& results() const { return m_content.results; }
    /// Over all experiments of the workspace; null before it was read.
    const RepeatDurations& durations() const { return m_content.durations; }

    /// How its file is; what is shown is what was read last.
    WorkspaceState state() const { return m_state; }
    /// The same in a sentence; empty where it is sound.
    const QString& stateText() const { return m_stateText; }
    /// The user has read that it was replaced.
    void acceptState();

    /// Saves what can still be read of the workspace in a new file, with what runs could not store, and opens that.
    /// Ends with `saved`, or `failed` and `notSaved`.
    void saveElsewhere(const QString& path, const UnsavedRuns& runs);

    /// Shows this experiment from now on.
    void showExperiment(qint64 id);
    /// Shows the newest experiment, and each newer one as soon as it is there.
    void showNewest();
    bool isFollowingNewest() const { return !m_wanted; }

    /// Reads again what has changed. May be called as often as one likes, while a run goes on above all: one read at a
    /// time, with pauses as long as reading takes.
    void refresh();

Q_SIGNALS:
    void opened(const QString& path);
    void experimentsChanged();
    void resultsChanged(const headroom::ui::Results& results);
    void failed(const QString& message);
    /// state() or stateText() is another one.
    void stateChanged();
    void saved(const QString& path, const QString& what);
    void notSaved(const QString& why);

private:
    enum class Cause { Asked, Refresh };
    /// What came of one attempt to read.
    struct ReadAnswer {
        std::optional<WorkspaceContent> content;
        WorkspaceState state = WorkspaceState::Sound;
        QString problem; ///< where it could not be read
    };
    using OpenWay = void (WorkspaceReader::*)(const std::filesystem::path&);

    void beginOpening(const QString& path, OpenWay way);
    void takeOpened(const QString& path);
    void want(std::optional<std::int64_t> experiment);
    void read(Cause cause);
    static ReadAnswer readBy(WorkspaceReader& reader, std::optional<std::int64_t> wanted, const ReadMark& known);
    void takeAnswer(std::optional<std::int64_t> wanted, Cause cause, ReadAnswer answer);
    void take(std::optional<std::int64_t> wanted, std::optional<WorkspaceContent> content);
    void setState(WorkspaceState state, const QString& text);
    void refuse(Cause cause, const QString& message);
    void endReading();

    std::shared_ptr<WorkspaceReader> m_reader; ///< used on the job thread only
    QString m_path;
    std::optional<std::int64_t> m_wanted; ///< nothing: the newest
    WorkspaceContent m_content;
    WorkspaceState m_state = WorkspaceState::Sound;
    QString m_stateText;
    QString m_complaint; ///< the failure that was reported last
    int m_opening = 0;
    bool m_isReading = false;
    bool m_isDue = false; ///< to be read again after the one that goes on
    QElapsedTimer m_readTime;
    QTimer m_pause;
    JobThread m_jobs; ///< last: ends first
};

} // namespace headroom::ui
