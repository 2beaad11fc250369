// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/results/WorkspaceService.h"
#include "ui/window/Services.h"

#include <QObject>
#include <QPointer>

#include <cstdint>

class QAction;
class QMessageBox;

namespace headroom::ui {

/// Finished results of runs that are in no workspace: kept in memory until they are saved.
class LostRuns {
public:
    /// Keeps the run unless everything in it is already kept. It replaces runs whose results it contains, as a run that
    /// continued them does.
    void add(const std::shared_ptr<const experiments::UnsavedRun>& run);
    /// Removes runs that have been saved.
    void remove(const UnsavedRuns& saved);

    const UnsavedRuns& all() const { return m_runs; }
    bool isEmpty() const { return m_runs.empty(); }
    std::int64_t repeats() const; ///< number of finished repeats

private:
    UnsavedRuns m_runs;
};

/// Reports when the workspace is damaged, gone or full: what is wrong and what is safe. Offers to save the safe part
/// elsewhere until it has been saved.
class RescueDesk : public QObject {
    Q_OBJECT

public:
    RescueDesk(Services& services, QWidget& window);

    /// Reopens the dialog; enabled while there is something to save elsewhere.
    QAction* action() const { return m_action; }
    /// To be called before the window closes: asks the user if something would be lost. Returns whether the window may
    /// close.
    bool mayLeave();

Q_SIGNALS:
    /// A success message for the status bar.
    void said(const QString& message);

private:
    void takeState();
    void takeLost(const LostWorkspace& lost);
    void takeSaved(const QString& path, const QString& what);
    void takeNotSaved(const QString& why);
    bool isBad() const;
    void showAction();
    void say(const QString& problem, const QString& safe);
    void sayAgain();
    void chooseFile();
    void save(const QString& path);

    Services& m_services;
    QWidget& m_window;
    QAction* m_action;
    LostRuns m_runs;
    UnsavedRuns m_saving; ///< those that are being saved
    QString m_problem; ///< the last message, like the next
    QString m_safe;
    QPointer<QMessageBox> m_dialog;
    bool m_isAnswered = false; ///< a file is being chosen or written
};

} // namespace headroom::ui
