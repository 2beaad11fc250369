// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Preferences.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QMainWindow>

namespace headroom::ui {

class PlanDesk;
class RecordingDesk;
class RescueDesk;
class RunDesk;
class SpecFiles;
class StatusStrip;
class WindowMenus;

/// The workbench: the views, their connections, and the actions of the menus.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Services& services, const Preferences& preferences, Restore restore);
    ~MainWindow() override;

    WindowViews& views() { return m_views; }
    SpecFiles& specs() { return *m_specs; }
    RecordingDesk& recordings() { return *m_recordings; }
    const RescueDesk& rescue() const { return *m_rescue; }
    /// Every action of the window and of its views, in the order of the menus.
    QList<QAction*> commands() const;

    /// The preferences to save, in their current state.
    Preferences preferences() const;

    // Called by the menus, the first page and the command line.
    void openWorkspace(const QString& file) { m_services.workspaces.openOrCreate(file); }

public Q_SLOTS:
    void exportReport();
    void editPreferences();
    void findInTrials();
    void findCommand();
    void showShortcuts();
    void showFirstSteps();
    void run();
    void arrange(headroom::ui::Arrangement arrangement);
    /// Shows a sentence about an error.
    void report(const QString& message);

Q_SIGNALS:
    /// The preferences have changed.
    void preferencesChanged();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void link();
    void linkSpec();
    void linkResults();
    void linkFailures();
    void selectFirstToLookAt(const Results& results);
    void runWaitingExample();
    void runExample(const QString& preset);
    void showTitle();
    void showTrial(const QString& trial);
    void showSaved(const QString& file);
    void showResults(const Results& results);
    bool mayStopRuns();
    void rememberSpec();
    void rememberWorkspace(const QString& file);
    void rememberIn(QStringList& recent, const QString& file);

    Services& m_services;
    Preferences m_preferences;
    WindowViews m_views;
    SpecFiles* m_specs;
    PlanDesk* m_plans;
    RunDesk* m_desk;
    StatusStrip* m_status;
    RecordingDesk* m_recordings;
    RescueDesk* m_rescue;
    WindowMenus* m_menus;
    std::int64_t m_shownExperiment = 0; ///< its number; 0 if none
    QString m_example; ///< a preset that runs as soon as it has been read
    QString m_exportFolder; ///< folder of the last report
    bool m_mayClose = false; ///< the user has answered all questions before closing
};

} // namespace headroom::ui
