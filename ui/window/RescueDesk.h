// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Services.h"

#include <QObject>
#include <QPointer>

class QMessageBox;

namespace headroom::ui {

/// Says so when the workspace is damaged, gone or full: what is wrong, what is safe, and offers to save that elsewhere.
class RescueDesk : public QObject {
    Q_OBJECT

public:
    RescueDesk(Services& services, QWidget& window);

Q_SIGNALS:
    /// Something that went well, for the status strip.
    void said(const QString& message);

private:
    void takeState();
    void takeLost(const LostWorkspace& lost);
    void say(const QString& problem, const QString& safe);
    void chooseFile();

    Services& m_services;
    QWidget& m_window;
    std::shared_ptr<const experiments::UnsavedRun> m_run; ///< that a workspace could not take; null: none
    QPointer<QMessageBox> m_dialog;
};

} // namespace headroom::ui
