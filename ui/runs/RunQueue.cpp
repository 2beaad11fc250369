// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/RunQueue.h"

#include <algorithm>

namespace headroom::ui {
namespace {

bool isWaiting(const RunQueue::Run& run)
{
    return run->state() == RunState::Waiting;
}

bool isUnderWay(const RunQueue::Run& run)
{
    return run->state() == RunState::Running || run->state() == RunState::Paused;
}

} // namespace

RunQueue::Run RunQueue::find(int id) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(), [id](const Run& run) { return run->id() == id; });
    return found == m_runs.end() ? nullptr : *found;
}

RunQueue::Run RunQueue::firstWaiting() const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(), isWaiting);
    return found == m_runs.end() ? nullptr : *found;
}

bool RunQueue::hasRetriable() const
{
    return std::any_of(m_runs.begin(), m_runs.end(), [](const Run& run) { return !run->retriable().empty(); });
}

int RunQueue::add(RunRequest request, RepeatTimes& times)
{
    m_runs.push_back(std::make_shared<QueuedRun>(++m_lastId, std::move(request), times));
    Q_EMIT added(m_lastId);
    return m_lastId;
}

void RunQueue::remove(int id)
{
    const Run run = find(id);
    if (!run || isUnderWay(run))
        return;
    std::erase(m_runs, run);
    Q_EMIT removed(id);
}

void RunQueue::removeEnded()
{
    const std::vector<Run> runs = m_runs;
    for (const Run& run : runs)
        if (!isWaiting(run))
            remove(run->id());
}

std::vector<RunQueue::Run> RunQueue::waiting() const
{
    std::vector<Run> found;
    std::copy_if(m_runs.begin(), m_runs.end(), std::back_inserter(found), isWaiting);
    return found;
}

void RunQueue::move(int id, QueueMove direction)
{
    rearrangeWaiting(moved(waiting(), [id](const Run& run) { return run->id() == id; }, direction));
}

void RunQueue::moveTo(int id, std::size_t row)
{
    const auto end = m_runs.begin() + static_cast<std::ptrdiff_t>(std::min(row, m_runs.size()));
    const auto place = static_cast<std::size_t>(std::count_if(m_runs.begin(), end, isWaiting));
    rearrangeWaiting(movedTo(waiting(), [id](const Run& run) { return run->id() == id; }, place));
}

// The waiting runs are distributed over the rows that they occupy.
void RunQueue::rearrangeWaiting(std::vector<Run> waiting)
{
    std::vector<Run> runs = m_runs;
    auto next = waiting.begin();
    for (Run& run : runs)
        if (isWaiting(run))
            run = *next++;
    if (runs == m_runs)
        return;
    m_runs = std::move(runs);
    Q_EMIT reordered();
}

void RunQueue::removeTrials(int id, const TrialIndices& trials)
{
    const Run run = find(id);
    TrialIndices gone;
    for (const std::size_t trial : trials)
        if (run && run->remove(trial))
            gone.push_back(trial);
    if (!gone.empty())
        Q_EMIT trialsRemoved(id, gone);
    if (run && run->order().empty())
        remove(id);
}

void RunQueue::moveTrials(int id, const TrialIndices& trials, QueueMove direction)
{
    if (const Run run = find(id); run && run->move(trials, direction))
        Q_EMIT trialsReordered(id);
}

void RunQueue::moveTrialsTo(int id, const TrialIndices& trials, std::size_t row)
{
    if (const Run run = find(id); run && run->moveTo(trials, row))
        Q_EMIT trialsReordered(id);
}

void RunQueue::retry(int id, const TrialIndices& trials)
{
    const Run run = find(id);
    if (!run || !run->retry(trials))
        return;
    Q_EMIT trialsChanged(id, trials);
    Q_EMIT changed(id);
    Q_EMIT retried(id);
}

void RunQueue::retryAll()
{
    const std::vector<Run> runs = m_runs;
    for (const Run& run : runs)
        retry(run->id(), run->retriable());
}

} // namespace headroom::ui
