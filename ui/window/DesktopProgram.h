// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/ThreadWithoutFiles.h"
#include "ui/jobs/JobThread.h"
#include "ui/window/MainWindow.h"
#include "ui/window/Preferences.h"
#include "ui/window/Services.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace headroom::ui {

/// Keeps the preferences in a file, on its own thread. A file that cannot be read counts as missing. If the file cannot
/// be written, `failed` is emitted and the program goes on.
class PreferencesStore : public QObject {
    Q_OBJECT

public:
    /// An INI file; its folder is created when there is something to write.
    explicit PreferencesStore(QString file, QObject* parent = nullptr);

    void load(QObject* receiver, std::function<void(const Preferences&)> deliver);
    /// Of several calls in a row only the last one is written; the end of the program waits for it.
    void save(const Preferences& preferences);

    /// The default file for this user.
    static QString usualFile();

Q_SIGNALS:
    void failed(const QString& message);

private:
    QString m_file;
    JobThread m_jobs;
};

/// The desktop program from start to end. It must be created on the thread that must not touch files.
class DesktopProgram : public QObject {
    Q_OBJECT

public:
    explicit DesktopProgram(StartOptions options);
    ~DesktopProgram() override;

    /// Reads the preferences, then shows the window.
    void start();
    /// Null until the preferences have been read.
    MainWindow* window() { return m_window.get(); }
    Services& services() { return m_services; }

    /// The default workspace, for users who have not chosen one.
    static QString usualWorkspace();

Q_SIGNALS:
    void shown();

private:
    void show(const Preferences& preferences);
    void openWorkspace(const Preferences& preferences);
    void save();

    StartOptions m_options;
    store::ThreadWithoutFiles m_noFilesHere;
    Services m_services;
    PreferencesStore m_store;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace headroom::ui
