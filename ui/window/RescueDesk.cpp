// SPDX-License-Identifier: Apache-2.0
#include "ui/window/RescueDesk.h"

#include "core/base/Wording.h"
#include "ui/look/FileDialog.h"

#include <QAction>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace headroom::ui {
namespace {

using experiments::UnsavedRun;

// Identifies a repeat: a run that continues another one has the same repeats. The times of the steps distinguish it
// from the same repeat of an independent run.
using RepeatKey = std::tuple<std::string, int, Outcome, std::vector<double>>;

std::set<RepeatKey> keysOf(const UnsavedRun& run)
{
    std::set<RepeatKey> keys;
    for (const experiments::UnsavedRepeat& repeat : run.repeats)
        keys.insert(
            {run.trials.at(repeat.trial).trialId, repeat.repeat, repeat.result.outcome, repeat.result.stepSeconds});
    return keys;
}

bool hasAllOf(const UnsavedRun& run, const UnsavedRun& other)
{
    return run.spec.name == other.spec.name && std::ranges::includes(keysOf(run), keysOf(other));
}

QString repeatsText(std::int64_t repeats)
{
    return QString::fromStdString(counted(repeats, "repeat"));
}

QString stopped(const LostWorkspace& lost)
{
    if (!lost.run || lost.run->repeats.empty())
        return QStringLiteral("The run has stopped before it had finished anything.");
    return QStringLiteral(
        "The run has stopped. What it has finished (%1) is safe in memory until this window is closed.")
        .arg(repeatsText(std::ssize(lost.run->repeats)));
}

QString outlook(WorkspaceLoss loss, WorkspaceState state)
{
    switch (loss) {
    case WorkspaceLoss::Damaged:
        return QStringLiteral(" Saving elsewhere puts it into a new workspace, with all that can still be read of the "
                              "damaged one, which stays as it is. Traces are kept as far as they can be read.");
    case WorkspaceLoss::Displaced:
        return QStringLiteral(" Nothing was written in the place of the file. Saving elsewhere puts it into a new "
                              "workspace, with all that the window has open of the %1.")
            .arg(state == WorkspaceState::Replaced ? QStringLiteral("one that has taken the place of the old one")
                                                   : QStringLiteral("old one"));
    case WorkspaceLoss::Full:
        return QStringLiteral(" What was stored before is in the workspace. Free space on its disk and retry, or save "
                              "elsewhere, on another disk.");
    case WorkspaceLoss::Refused:
        break;
    }
    return QStringLiteral(
        " What was stored before is in the workspace. Make it writable and retry, or save elsewhere.");
}

// Mentions what earlier runs still have in memory.
QString besides(std::int64_t repeats)
{
    return repeats <= 0 ? QString()
                        : QStringLiteral(" What runs had finished before (%1) is in memory, too, and saved with it.")
                              .arg(repeatsText(repeats));
}

QString leadingBack()
{
    return QStringLiteral(" File > Save lost results leads back here.");
}

} // namespace

void LostRuns::add(const std::shared_ptr<const UnsavedRun>& run)
{
    const bool isKnown = !run || run->repeats.empty()
        || std::ranges::any_of(m_runs, [&](const auto& kept) { return hasAllOf(*kept, *run); });
    if (isKnown)
        return;
    std::erase_if(m_runs, [&](const auto& kept) { return hasAllOf(*run, *kept); });
    m_runs.push_back(run);
}

void LostRuns::remove(const UnsavedRuns& saved)
{
    std::erase_if(m_runs, [&](const auto& kept) { return std::ranges::find(saved, kept) != saved.end(); });
}

std::int64_t LostRuns::repeats() const
{
    return std::accumulate(m_runs.begin(), m_runs.end(), std::int64_t{0},
        [](std::int64_t sum, const auto& run) { return sum + std::ssize(run->repeats); });
}

RescueDesk::RescueDesk(Services& services, QWidget& window)
    : QObject(&window)
    , m_services(services)
    , m_window(window)
    , m_action(new QAction(QStringLiteral("Save &lost results…"), this))
{
    m_action->setObjectName(QStringLiteral("saveLostResults"));
    m_action->setEnabled(false);
    connect(m_action, &QAction::triggered, this, &RescueDesk::sayAgain);
    connect(&services.runs, &RunService::workspaceLost, this, &RescueDesk::takeLost);
    connect(&services.workspaces, &WorkspaceService::stateChanged, this, &RescueDesk::takeState);
    connect(&services.workspaces, &WorkspaceService::saved, this, &RescueDesk::takeSaved);
    connect(&services.workspaces, &WorkspaceService::notSaved, this, &RescueDesk::takeNotSaved);
}

void RescueDesk::takeLost(const LostWorkspace& lost)
{
    m_runs.add(lost.run);
    const std::int64_t earlier = m_runs.repeats() - (lost.run ? std::ssize(lost.run->repeats) : 0);
    QString problem = lost.problem;
    if (!problem.isEmpty())
        problem[0] = problem[0].toUpper();
    say(QStringLiteral("%1: %2.").arg(problem, lost.workspace),
        stopped(lost) + outlook(lost.loss, m_services.workspaces.state()) + besides(earlier) + leadingBack());
}

bool RescueDesk::isBad() const
{
    const WorkspaceState state = m_services.workspaces.state();
    return state == WorkspaceState::Damaged || state == WorkspaceState::Missing;
}

// During a run, waits until the run has noticed too, as its own report says more.
void RescueDesk::takeState()
{
    showAction();
    const WorkspaceService& workspaces = m_services.workspaces;
    if (!isBad() || m_services.runs.isBusy() || m_dialog || m_isAnswered)
        return;
    const QString safe = workspaces.state() == WorkspaceState::Damaged
        ? QStringLiteral("What is on the screen was read before. Saving elsewhere copies all that can still be read "
                         "into a new workspace; the damaged file stays as it is.")
        : QStringLiteral("What is on the screen is still open. Saving elsewhere copies all of it into a new "
                         "workspace; put the file back, and the window goes on with it.");
    say(workspaces.stateText(), safe + besides(m_runs.repeats()) + leadingBack());
}

void RescueDesk::takeSaved(const QString& path, const QString& what)
{
    m_isAnswered = false;
    m_runs.remove(std::exchange(m_saving, {}));
    showAction();
    if (m_dialog && !m_action->isEnabled())
        m_dialog->close();
    Q_EMIT said(QStringLiteral("Saved in %1: %2.").arg(path, what));
}

void RescueDesk::takeNotSaved(const QString& why)
{
    m_isAnswered = false;
    m_saving.clear();
    if (m_action->isEnabled())
        say(why, m_safe);
}

void RescueDesk::showAction()
{
    m_action->setEnabled(!m_runs.isEmpty() || isBad());
}

void RescueDesk::say(const QString& problem, const QString& safe)
{
    m_problem = problem;
    m_safe = safe;
    showAction();
    sayAgain();
}

void RescueDesk::sayAgain()
{
    m_isAnswered = false;
    if (m_dialog)
        m_dialog->close();
    m_dialog = new QMessageBox(QMessageBox::Critical, QStringLiteral("The workspace cannot be used"), m_problem,
        QMessageBox::Close, &m_window);
    m_dialog->setObjectName(QStringLiteral("lostWorkspaceDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setInformativeText(m_safe);
    QPushButton* save = m_dialog->addButton(QStringLiteral("Save elsewhere..."), QMessageBox::AcceptRole);
    save->setObjectName(QStringLiteral("saveElsewhere"));
    m_dialog->setDefaultButton(save);
    connect(save, &QPushButton::clicked, this, &RescueDesk::chooseFile);
    m_dialog->open();
}

// If no file is chosen, the question is shown again.
void RescueDesk::chooseFile()
{
    m_isAnswered = true;
    const QFileInfo old(m_services.workspaces.path());
    auto* dialog = new FileDialog(&m_window, QStringLiteral("Save the results elsewhere"), old.path(),
        QStringLiteral("Workspaces (*.db);;All files (*)"));
    dialog->setObjectName(QStringLiteral("rescueFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("db"));
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // an existing file is rejected, never replaced
    dialog->selectFile(old.completeBaseName() + QStringLiteral(".rescued.db"));
    connect(dialog, &QFileDialog::fileSelected, this, &RescueDesk::save);
    connect(dialog, &QFileDialog::rejected, this, &RescueDesk::sayAgain);
    dialog->open();
}

void RescueDesk::save(const QString& path)
{
    m_saving = m_runs.all();
    m_services.workspaces.saveElsewhere(path, m_saving);
}

bool RescueDesk::mayLeave()
{
    if (m_runs.isEmpty())
        return true;
    const auto answer = QMessageBox::warning(&m_window, QStringLiteral("Results are in memory only"),
        QStringLiteral("What runs have finished (%1) is in no workspace and is lost when the window closes. Save it in "
                       "a new workspace first?")
            .arg(repeatsText(m_runs.repeats())),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    if (answer == QMessageBox::Save)
        chooseFile();
    return answer == QMessageBox::Discard;
}

} // namespace headroom::ui
