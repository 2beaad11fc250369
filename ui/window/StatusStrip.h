// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/Services.h"

#include <QObject>

class QLabel;
class QProgressBar;
class QStatusBar;

namespace headroom::ui {

/// What stands at the lower edge of the window: the workspace, what this machine can do, how far the queue is, and for
/// a while what went wrong.
class StatusStrip : public QObject {
    Q_OBJECT

public:
    StatusStrip(Services& services, QStatusBar& bar);

    /// Something that went well, for some seconds.
    void showMessage(const QString& message);
    void showFailure(const QString& message);

private:
    void showWorkspace(const QString& path);
    void showMachine(const Machine& machine);
    void showQueue();

    Services& m_services;
    QStatusBar& m_bar;
    QLabel* m_workspace;
    QLabel* m_machine;
    QLabel* m_queue;
    QProgressBar* m_progress;
};

} // namespace headroom::ui
