// SPDX-License-Identifier: Apache-2.0
#include "ui/comparing/PlannedComparison.h"

namespace headroom::ui {

PlannedComparison::PlannedComparison(
    RunService& runs, WorkspaceService& workspaces, Selection& selection, CompareActions& actions, QObject* parent)
    : QObject(parent)
    , m_runs(runs)
    , m_workspaces(workspaces)
    , m_selection(selection)
    , m_actions(actions)
{
    connect(&runs, &RunService::changed, this, &PlannedComparison::followRun);
    connect(&workspaces, &WorkspaceService::resultsChanged, this, &PlannedComparison::compareIfThere);
    connect(&workspaces, &WorkspaceService::opened, this, [this] { m_waiting.reset(); });
}

void PlannedComparison::begin(RunRequest request, const std::string& first, const std::string& second)
{
    m_workspaces.showNewest();
    m_waiting = Waiting{0, first, second};
    m_waiting->run = m_runs.enqueue(std::move(request));
}

void PlannedComparison::followRun()
{
    if (!m_waiting || m_waiting->run == 0 || m_waiting->hasEnded)
        return;
    const RunQueue::Run run = m_runs.queue().find(m_waiting->run);
    const bool isUnderWay = run
        && (run->state() == RunState::Waiting || run->state() == RunState::Running || run->state() == RunState::Paused);
    if (isUnderWay)
        return;
    if (!run || run->state() != RunState::Finished)
        return m_waiting.reset(); // the queue says why
    m_waiting->hasEnded = true;
    if (!m_workspaces.isFollowingNewest()) {
        m_waiting.reset();
        return Q_EMIT said(QStringLiteral("Both combinations have run; they are the newest experiment."));
    }
    m_workspaces.refresh();
    compareIfThere();
}

// Results may have been read before the run is known to have ended, or after it.
void PlannedComparison::compareIfThere()
{
    if (!m_waiting || !m_waiting->hasEnded)
        return;
    const QStringList both{shown(m_waiting->first), shown(m_waiting->second)};
    if (both.contains(QString()))
        return;
    m_waiting.reset();
    m_selection.select(both);
    // All views have the results when this signal has reached them.
    QMetaObject::invokeMethod(m_actions.compare(), &QAction::trigger, Qt::QueuedConnection);
}

// The id among the results that are shown; empty where the trial is not among them, or has not run yet.
QString PlannedComparison::shown(const std::string& trial) const
{
    const Results& results = m_workspaces.results();
    if (!results || results->isOfSeveral())
        return {};
    for (const report::ReportTrial& each : results->content().trials)
        if (ResultSet::storedId(each) == trial && each.result.outcome != Outcome::Cancelled
            && each.result.outcome != Outcome::Skipped)
            return QString::fromStdString(each.id());
    return {};
}

} // namespace headroom::ui
