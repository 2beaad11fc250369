// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Services.h"

#include <QObject>

class QLabel;
class QProgressBar;
class QStatusBar;

namespace headroom::ui {

/// The contents of the status bar: the workspace, what this machine can do, the progress of the queue, and temporary
/// messages.
class StatusStrip : public QObject {
    Q_OBJECT

public:
    StatusStrip(Services& services, QStatusBar& bar);

    /// Shows a success message for some seconds.
    void showMessage(const QString& message);
    void showFailure(const QString& message);

private:
    void showWorkspace(const QString& path);
    void showMachine(const Machine& machine);
    void showQueue();
    void refreshInk();

    Services& m_services;
    QStatusBar& m_bar;
    QLabel* m_workspace;
    QLabel* m_machine;
    QLabel* m_queue;
    QProgressBar* m_progress;
};

} // namespace headroom::ui
