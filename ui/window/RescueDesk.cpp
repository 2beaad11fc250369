// SPDX-License-Identifier: Apache-2.0
#include "ui/window/RescueDesk.h"

#include "experiments/Wording.h"
#include "ui/look/FileDialog.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace headroom::ui {
namespace {

QString safeWithRun(const LostWorkspace& lost)
{
    const QString repeats = QString::fromStdString(
        experiments::counted(lost.run ? static_cast<std::int64_t>(lost.run->repeats.size()) : 0, "repeat"));
    const QString run =
        QStringLiteral("The run has stopped. What it has finished (%1) is safe in memory until this window is closed.")
            .arg(repeats);
    switch (lost.loss) {
    case WorkspaceLoss::Damaged:
        return run
            + QStringLiteral(" Saving elsewhere puts it into a new workspace, with all that can still be read of the "
                             "damaged one, which stays as it is. Traces are kept as far as they can be read.");
    case WorkspaceLoss::Displaced:
        return run
            + QStringLiteral(" Nothing was written in the place of the file. Saving elsewhere puts it into a new "
                             "workspace, with all that the window has open of the old one.");
    case WorkspaceLoss::Full:
        break;
    }
    return run
        + QStringLiteral(" What was stored before is in the workspace. Free space on its disk and retry, or save "
                         "elsewhere, on another disk.");
}

} // namespace

RescueDesk::RescueDesk(Services& services, QWidget& window)
    : QObject(&window)
    , m_services(services)
    , m_window(window)
{
    connect(&services.runs, &RunService::workspaceLost, this, &RescueDesk::takeLost);
    connect(&services.workspaces, &WorkspaceService::stateChanged, this, &RescueDesk::takeState);
    connect(&services.workspaces, &WorkspaceService::saved, this, [this](const QString& path, const QString& what) {
        m_run.reset();
        Q_EMIT said(QStringLiteral("Saved in %1: %2.").arg(path, what));
    });
}

void RescueDesk::takeLost(const LostWorkspace& lost)
{
    m_run = lost.run;
    QString problem = lost.problem;
    if (!problem.isEmpty())
        problem[0] = problem[0].toUpper();
    say(QStringLiteral("%1: %2.").arg(problem, lost.workspace), safeWithRun(lost));
}

// Of a run that goes on more is known when it has noticed, too.
void RescueDesk::takeState()
{
    const WorkspaceService& workspaces = m_services.workspaces;
    const WorkspaceState state = workspaces.state();
    const bool isBad = state == WorkspaceState::Damaged || state == WorkspaceState::Missing;
    if (!isBad || m_services.runs.isBusy() || m_dialog)
        return;
    say(workspaces.stateText(),
        state == WorkspaceState::Damaged
            ? QStringLiteral(
                  "What is on the screen was read before. Saving elsewhere copies all that can still be read "
                  "into a new workspace; the damaged file stays as it is.")
            : QStringLiteral("What is on the screen is still open. Saving elsewhere copies all of it into a new "
                             "workspace; put the file back, and the window goes on with it."));
}

void RescueDesk::say(const QString& problem, const QString& safe)
{
    if (m_dialog)
        m_dialog->close();
    m_dialog = new QMessageBox(
        QMessageBox::Critical, QStringLiteral("The workspace cannot be used"), problem, QMessageBox::Close, &m_window);
    m_dialog->setObjectName(QStringLiteral("lostWorkspaceDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setInformativeText(safe);
    QPushButton* save = m_dialog->addButton(QStringLiteral("Save elsewhere..."), QMessageBox::AcceptRole);
    save->setObjectName(QStringLiteral("saveElsewhere"));
    m_dialog->setDefaultButton(save);
    connect(save, &QPushButton::clicked, this, &RescueDesk::chooseFile);
    m_dialog->open();
}

void RescueDesk::chooseFile()
{
    const QFileInfo old(m_services.workspaces.path());
    auto* dialog = new FileDialog(&m_window, QStringLiteral("Save the results elsewhere"), old.path(),
        QStringLiteral("Workspaces (*.db);;All files (*)"));
    dialog->setObjectName(QStringLiteral("rescueFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("db"));
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // a file that is there is refused, never replaced
    dialog->selectFile(old.completeBaseName() + QStringLiteral(".rescued.db"));
    connect(dialog, &QFileDialog::fileSelected, this,
        [this](const QString& path) { m_services.workspaces.saveElsewhere(path, m_run); });
    dialog->open();
}

} // namespace headroom::ui
