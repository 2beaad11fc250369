// SPDX-License-Identifier: Apache-2.0
#include "ui/window/StatusStrip.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>

namespace headroom::ui {
namespace {

constexpr int kMessageMs = 6'000;

QLabel* makeLabel(const QString& name, QStatusBar& bar)
{
    auto* label = new QLabel(&bar);
    label->setObjectName(name);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

StatusStrip::StatusStrip(Services& services, QStatusBar& bar)
    : QObject(&bar)
    , m_services(services)
    , m_bar(bar)
    , m_workspace(makeLabel(QStringLiteral("statusWorkspace"), bar))
    , m_machine(makeLabel(QStringLiteral("statusMachine"), bar))
    , m_queue(makeLabel(QStringLiteral("statusQueue"), bar))
    , m_progress(new QProgressBar(&bar))
{
    m_progress->setObjectName(QStringLiteral("statusProgress"));
    m_progress->setAccessibleName(QStringLiteral("Progress of the queue"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(bar.fontMetrics().averageCharWidth() * 20);
    m_progress->setMaximumHeight(bar.fontMetrics().height());
    m_workspace->setContentsMargins(
        bar.fontMetrics().averageCharWidth(), 0, 2 * bar.fontMetrics().averageCharWidth(), 0);
    bar.addWidget(m_workspace);
    bar.addWidget(m_machine, 1);
    bar.addPermanentWidget(m_queue);
    bar.addPermanentWidget(m_progress);
    connect(&services.workspaces, &WorkspaceService::opened, this, &StatusStrip::showWorkspace);
    connect(&services.machine, &MachineProbe::found, this, &StatusStrip::showMachine);
    connect(&services.runs, &RunService::changed, this, &StatusStrip::showQueue);
    connect(&services.theme, &Theme::changed, this, &StatusStrip::refreshInk);
    refreshInk();
    showQueue();
}

// Of their own: the bar's colour is that of a failure while it shows one.
void StatusStrip::refreshInk()
{
    QPalette own;
    own.setColor(QPalette::WindowText, m_services.theme.ink());
    for (QLabel* label : {m_workspace, m_machine, m_queue})
        label->setPalette(own);
}

void StatusStrip::showMessage(const QString& message)
{
    m_bar.setPalette(QPalette());
    m_bar.showMessage(message, kMessageMs);
}

// The message stays until the next one, as the user may have looked elsewhere.
void StatusStrip::showFailure(const QString& message)
{
    QPalette palette;
    palette.setColor(QPalette::WindowText, m_services.theme.alarm());
    m_bar.setPalette(palette);
    m_bar.showMessage(QStringLiteral("⚠ ") + message);
    m_bar.setToolTip(message);
}

void StatusStrip::showWorkspace(const QString& path)
{
    m_workspace->setText(QStringLiteral("Workspace: %1").arg(QFileInfo(path).fileName()));
    m_workspace->setToolTip(path);
}

void StatusStrip::showMachine(const Machine& machine)
{
    m_machine->setText(machine.gpu == Machine::Gpu::Usable ? QStringLiteral("GPU: cuda:0")
            : machine.gpu == Machine::Gpu::Absent ? QStringLiteral("No GPU: measured on the processor, GPUs predicted")
                                                  : QStringLiteral("The worker does not answer"));
    m_machine->setToolTip(machine.sentence);
}

void StatusStrip::showQueue()
{
    const OverallProgress progress = m_services.runs.progress();
    m_queue->setText(m_services.runs.statusText());
    m_progress->setVisible(m_services.runs.isBusy());
    m_progress->setMaximum(std::max(progress.total, 1));
    m_progress->setValue(progress.done);
}

} // namespace headroom::ui
