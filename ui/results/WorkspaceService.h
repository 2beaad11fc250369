// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/results/WorkspaceReader.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace headroom::ui {

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

private:
    enum class Cause { Asked, Refresh };
    using OpenWay = void (WorkspaceReader::*)(const std::filesystem::path&);

    void beginOpening(const QString& path, OpenWay way);
    void takeOpened(const QString& path);
    void want(std::optional<std::int64_t> experiment);
    void read(Cause cause);
    void take(std::optional<std::int64_t> wanted, std::optional<WorkspaceContent> content);
    void refuse(Cause cause, const QString& message);
    void endReading();

    std::shared_ptr<WorkspaceReader> m_reader; ///< used on the job thread only
    QString m_path;
    std::optional<std::int64_t> m_wanted; ///< nothing: the newest
    WorkspaceContent m_content;
    QString m_complaint; ///< the failure that was reported last
    int m_opening = 0;
    bool m_isReading = false;
    bool m_isDue = false; ///< to be read again after the one that goes on
    QElapsedTimer m_readTime;
    QTimer m_pause;
    JobThread m_jobs; ///< last: ends first
};

} // namespace headroom::ui
