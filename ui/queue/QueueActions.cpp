// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueActions.h"

#include <algorithm>

namespace headroom::ui {
namespace {

const QString kPauseHelp = QStringLiteral("Pauses the queue when the current repeat has ended");
const QString kResumeHelp = QStringLiteral("Resumes the queue");

// Adds the shortcut to a tooltip, as a menu would show it.
QString withKeys(const QString& help, const QAction& action)
{
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    return keys.isEmpty() ? help : QStringLiteral("%1 (%2)").arg(help, keys);
}

} // namespace

QueueActions::QueueActions(RunService& service, Theme& theme, QObject* parent)
    : QObject(parent)
    , m_service(service)
    , m_icons(theme)
{
    makeRunActions();
    makeRowActions();
    dress();
    update();
    connect(&service, &RunService::changed, this, &QueueActions::update);
    connect(&theme, &Theme::changed, this, [this] {
        m_icons.clear();
        dress();
    });
}

QAction* QueueActions::add(const Look& look, const std::function<void()>& act)
{
    auto* action = new QAction(QString::fromUtf8(look.text), this);
    action->setObjectName(QString::fromUtf8(look.name));
    action->setShortcut(QKeySequence(QString::fromUtf8(look.keys)));
    action->setToolTip(withKeys(QString::fromUtf8(look.help), *action));
    action->setStatusTip(QString::fromUtf8(look.help));
    m_glyphs[action] = look.glyph;
    connect(action, &QAction::triggered, this, [this, act] {
        act();
        update();
    });
    return action;
}

void QueueActions::makeRunActions()
{
    m_pause = add({"queue.pause", "Pause", "F6", "", Glyph::Pause}, [this] {
        if (m_service.isPaused())
            m_service.resume();
        else
            m_service.pause();
    });
    m_stop = add({"queue.stop", "Stop", "Shift+F5",
                     "Stops the experiment that is running at once; what is finished is kept", Glyph::Stop},
        [this] { m_service.stop(); });
    m_stopTrial = add({"queue.stopTrial", "Stop trial", "Ctrl+Shift+F5",
                          "Ends the trial that is running as cancelled; the next one follows", Glyph::StopOne},
        [this] { m_service.stopTrial(); });
    m_retryAll = add({"queue.retryAll", "Retry all failed", "Ctrl+Shift+R",
                         "Runs again everything that failed, timed out, was cancelled or was not reached. Completed "
                         "trials and those that ran out of memory are results and are kept",
                         Glyph::RetryAll},
        [this] { m_service.retryAllFailed(); });
    m_removeEnded = add({"queue.removeEnded", "Clear ended experiments", "",
                            "Removes what has ended from this list; its results stay in the workspace", Glyph::Remove},
        [this] { m_service.queue().removeEnded(); });
}

void QueueActions::makeRowActions()
{
    m_moveUp = add({"queue.moveUp", "Move up", "Alt+Up", "Runs the selected rows that wait earlier", Glyph::Up},
        [this] { moveSelected(QueueMove::Up); });
    m_moveDown = add({"queue.moveDown", "Move down", "Alt+Down", "Runs the selected rows that wait later", Glyph::Down},
        [this] { moveSelected(QueueMove::Down); });
    m_moveToTop =
        add({"queue.moveToTop", "Move to top", "Alt+Home", "Runs the selected rows that wait next", Glyph::Top},
            [this] { moveSelected(QueueMove::ToTop); });
    m_remove = add({"queue.remove", "Remove", "Del",
                       "Removes the selected rows from the queue: trials that have not begun, and experiments that are "
                       "not running",
                       Glyph::Remove},
        [this] { removeSelected(); });
    m_retry = add({"queue.retry", "Retry", "Ctrl+R",
                      "Runs again the selected trials that failed, timed out, were cancelled or were not reached. "
                      "Completed trials and those that ran out of memory are results and are kept",
                      Glyph::Retry},
        [this] { retrySelected(); });
    for (QAction* action : {m_moveUp, m_moveDown, m_moveToTop, m_remove})
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
}

QList<QAction*> QueueActions::all() const
{
    return {m_pause, m_stop, m_stopTrial, nullptr, m_moveUp, m_moveDown, m_moveToTop, m_remove, m_removeEnded, nullptr,
        m_retry, m_retryAll};
}

void QueueActions::select(Selected selected)
{
    m_selected = std::move(selected);
    update();
}

void QueueActions::update()
{
    const auto active = m_service.active();
    const bool isGoing = active != nullptr && !m_service.isStopping();
    updatePause();
    m_stop->setEnabled(isGoing);
    m_stopTrial->setEnabled(isGoing && active->running().has_value());
    for (QAction* action : {m_moveUp, m_moveDown, m_moveToTop})
        action->setEnabled(canMove());
    m_remove->setEnabled(canRemove());
    m_retry->setEnabled(canRetry());
    m_retryAll->setEnabled(m_service.queue().hasRetriable());
    const auto& runs = m_service.queue().runs();
    m_removeEnded->setEnabled(std::any_of(
        runs.begin(), runs.end(), [&](const auto& run) { return run != active && run->state() != RunState::Waiting; }));
}

void QueueActions::updatePause()
{
    const bool isPaused = m_service.isPaused();
    const QString text = isPaused ? QStringLiteral("Resume") : QStringLiteral("Pause");
    m_pause->setEnabled(isPaused ? !m_service.isStopping() : m_service.isBusy() && !m_service.isStopping());
    if (m_pause->text() == text && !m_pause->toolTip().isEmpty())
        return;
    m_pause->setText(text);
    m_pause->setToolTip(withKeys(isPaused ? kResumeHelp : kPauseHelp, *m_pause));
    m_pause->setStatusTip(isPaused ? kResumeHelp : kPauseHelp);
    m_glyphs[m_pause] = isPaused ? Glyph::Play : Glyph::Pause;
    m_pause->setIcon(m_icons.icon(m_glyphs[m_pause]));
}

void QueueActions::dress()
{
    for (const auto& [action, glyph] : m_glyphs)
        action->setIcon(m_icons.icon(glyph));
}

bool QueueActions::canMove() const
{
    return std::any_of(m_selected.begin(), m_selected.end(), [this](const auto& entry) {
        const auto run = m_service.queue().find(entry.first);
        if (run && entry.second.empty())
            return run->state() == RunState::Waiting;
        return run && std::any_of(entry.second.begin(), entry.second.end(), [&](std::size_t trial) {
            return run->isMovable(trial);
        });
    });
}

bool QueueActions::canRemove() const
{
    return std::any_of(m_selected.begin(), m_selected.end(), [this](const auto& entry) {
        const auto run = m_service.queue().find(entry.first);
        if (run && entry.second.empty())
            return run != m_service.active();
        return run && std::any_of(entry.second.begin(), entry.second.end(), [&](std::size_t trial) {
            return run->canRemove(trial);
        });
    });
}

bool QueueActions::canRetry() const
{
    return std::any_of(m_selected.begin(), m_selected.end(), [this](const auto& entry) {
        const auto run = m_service.queue().find(entry.first);
        if (run && entry.second.empty())
            return !run->retriable().empty();
        return run && std::any_of(entry.second.begin(), entry.second.end(), [&](std::size_t trial) {
            return run->canRetry(trial);
        });
    });
}

void QueueActions::moveSelected(QueueMove direction)
{
    const Selected selected = m_selected;
    for (const auto& [run, trials] : selected)
        if (trials.empty())
            m_service.queue().move(run, direction);
        else
            m_service.queue().moveTrials(run, trials, direction);
}

void QueueActions::removeSelected()
{
    const Selected selected = m_selected;
    for (const auto& [run, trials] : selected)
        if (trials.empty())
            m_service.queue().remove(run);
        else
            m_service.queue().removeTrials(run, trials);
}

void QueueActions::retrySelected()
{
    const Selected selected = m_selected;
    for (const auto& [id, trials] : selected)
        if (const auto run = m_service.queue().find(id))
            m_service.queue().retry(id, trials.empty() ? run->retriable() : trials);
}

} // namespace headroom::ui
