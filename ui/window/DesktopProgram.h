// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/ThreadWithoutFiles.h"
#include "ui/window/MainWindow.h"
#include "ui/window/Preferences.h"
#include "ui/window/PreferencesStore.h"
#include "ui/window/Services.h"

#include <QObject>

#include <memory>

namespace headroom::ui {

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
