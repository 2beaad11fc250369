// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/LostRuns.h"
#include "ui/window/Services.h"

#include <QObject>
#include <QPointer>

class QAction;
class QMessageBox;

namespace headroom::ui {

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
