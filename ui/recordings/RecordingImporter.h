// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <cstdint>
#include <memory>

namespace headroom::ui {

/// A recording that has become an experiment of the workspace.
struct ImportedFile {
    QString file;
    QString workspace;
    QString name; ///< of the experiment
    qint64 experiment = 0; ///< its number
    QString trial; ///< id of the device to look at first: the one that ran out of memory, else the one that held most
    QStringList remarks; ///< what the recording lacks
};

/// What a file is that was dropped on the window, as far as its content tells.
enum class FileSort { Recording, Workspace, Other };

/// Takes recordings into a workspace on a thread of its own, one after another. The UI thread learns how far it is.
class RecordingImporter : public QObject {
    Q_OBJECT

public:
    explicit RecordingImporter(QObject* parent = nullptr);
    ~RecordingImporter() override;

    /// Ends with `imported`, `cancelled` or `failed`.
    void import(const QString& file, const QString& workspace);
    /// Ends the one that is being taken in; nothing of it stays in the workspace.
    void cancel();
    bool isBusy() const { return m_current != nullptr; }

    /// Ends with `sorted`, or with `failed` for a file that cannot be read.
    void sort(const QString& file);

Q_SIGNALS:
    void progressed(const QString& what, double share);
    void imported(const headroom::ui::ImportedFile& imported);
    void cancelled(const QString& file);
    /// In a sentence that names the file.
    void failed(const QString& file, const QString& message);
    void sorted(const QString& file, headroom::ui::FileSort sort);
    void busyChanged();

private:
    /// Shared by both threads while a file is taken in.
    struct Watch {
        QString file;
        std::atomic<bool> isWriting{false};
        std::atomic<double> share{0};
        std::atomic<bool> isStopped{false};
    };
    using WatchPtr = std::shared_ptr<Watch>;

    static std::optional<ImportedFile> importBy(Watch& watch, const QString& workspace, const std::stop_token& stop);
    void begin(const WatchPtr& watch);
    void end();
    void tell();

    WatchPtr m_current; ///< null while nothing is taken in
    std::deque<WatchPtr> m_waiting;
    QTimer m_look;
    JobThread m_jobs; ///< last: its jobs end before what they are delivered to
};

} // namespace headroom::ui
