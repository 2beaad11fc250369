// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/LostRuns.h"
#include "ui/window/Services.h"

#include <QObject>
#include <QPointer>

class QAction;
class QMessageBox;

namespace headroom::ui {

/// Says so when the workspace is damaged, gone or full: what is wrong, what is safe, and offers to save that elsewhere,
/// until it has been saved.
class RescueDesk : public QObject {
    Q_OBJECT

public:
    RescueDesk(Services& services, QWidget& window);

    /// Leads back to the dialog; enabled while there is something to be saved elsewhere.
    QAction* action() const { return m_action; }
    /// Before the window closes: asks where something would be lost with it. Returns whether it may close.
    bool mayLeave();

Q_SIGNALS:
    /// Something that went well, for the status strip.
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
    UnsavedRuns m_saving; ///< those of them that are being saved
    QString m_problem; ///< that was said last, as the next
    QString m_safe;
    QPointer<QMessageBox> m_dialog;
};

} // namespace headroom::ui
