// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/QueuedRun.h"

#include "experiments/sweep/TrialQueue.h"

#include <algorithm>
#include <numeric>

namespace headroom::ui {
namespace {

QString devicesOf(const RunRequest& request)
{
    std::set<std::string> devices;
    for (std::size_t i = 0; i < request.trials.size(); ++i)
        if (i == 0 || request.trials[i].trial.device != request.trials[i - 1].trial.device)
            devices.insert(request.trials[i].trial.device.name());
    return devices.size() == 1 ? QString::fromStdString(*devices.begin())
                               : QStringLiteral("%1 devices").arg(devices.size());
}

bool isAlike(const experiments::PlannedTrial& a, const experiments::PlannedTrial& b)
{
    return a.trial.device == b.trial.device && a.trial.configuration.model == b.trial.configuration.model;
}

} // namespace

std::size_t RepeatTimes::kindOf(const experiments::PlannedTrial& trial)
{
    const std::string name = trial.trial.device.notation() + " " + trial.trial.configuration.model;
    const auto [found, isNew] = m_names.emplace(name, m_kinds.size());
    if (isNew)
        m_kinds.push_back({.isSimulated = trial.trial.device.isSimulated()});
    return found->second;
}

void RepeatTimes::add(std::size_t kind, Seconds time)
{
    m_kinds.at(kind).total += time;
    ++m_kinds[kind].count;
}

std::optional<RepeatTimes::Seconds> RepeatTimes::expected(std::size_t kind) const
{
    Kind known = m_kinds.at(kind);
    if (known.count == 0)
        for (const Kind& other : m_kinds)
            if (other.isSimulated == known.isSimulated) {
                known.total += other.total;
                known.count += other.count;
            }
    return known.count == 0 ? std::nullopt : std::optional(known.total / known.count);
}

QueuedRun::QueuedRun(int id, RunRequest request, RepeatTimes& times)
    : m_id(id)
    , m_request(std::make_shared<const RunRequest>(std::move(request)))
    , m_devices(devicesOf(*m_request))
    , m_progress(m_request->trials.size())
    , m_order(m_request->trials.size())
{
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    for (std::size_t i = 0; i < m_progress.size(); ++i) {
        m_progress[i].trial = i;
        m_kinds.push_back(i > 0 && isAlike(planned(i), planned(i - 1)) ? m_kinds.back() : times.kindOf(planned(i)));
        if (!planned(i).isRunnable()) {
            m_progress[i].state = TrialState::Skipped;
            m_progress[i].reason = planned(i).skipReason();
        }
    }
}

QueuedRun::Counts QueuedRun::counts() const
{
    Counts counts;
    for (const std::size_t trial : m_order)
        if (const TrialState state = m_progress[trial].state; state != TrialState::Skipped) {
            ++counts.total;
            counts.done += isOver(state) && state != TrialState::Cancelled && state != TrialState::NotRun ? 1 : 0;
        }
    return counts;
}

std::optional<RepeatTimes::Seconds> QueuedRun::remaining(const RepeatTimes& times) const
{
    RepeatTimes::Seconds total{};
    for (const std::size_t trial : m_order) {
        const TrialProgress& progress = m_progress[trial];
        if (isOver(progress.state))
            continue;
        const auto expected = times.expected(m_kinds[trial]);
        if (!expected)
            return std::nullopt;
        const int repeats = std::max(1, experiments::repeatsNeeded(planned(trial)) - progress.finishedRepeats);
        const RepeatTimes::Seconds spent =
            progress.begun ? TrialProgress::Clock::now() - *progress.begun : RepeatTimes::Seconds{};
        if (spent > 2 * *expected + std::chrono::seconds(1))
            return std::nullopt; // it differs from the earlier ones, or hangs
        total += *expected * repeats - std::min(spent, *expected);
    }
    return total;
}

std::shared_ptr<const RunRequest> QueuedRun::begin()
{
    m_attempt.clear();
    for (const std::size_t trial : m_order)
        if (m_progress[trial].state == TrialState::Waiting || !m_isStored)
            m_attempt.push_back(trial);
    std::sort(m_attempt.begin(), m_attempt.end());
    m_state = RunState::Running;
    m_message.clear();
    if (m_attempt.size() == m_progress.size() && !m_isStored)
        return m_request;
    auto part = std::make_shared<RunRequest>(RunRequest{.spec = m_request->spec,
        .trials = {},
        .workspace = m_request->workspace,
        .workspaceUse = m_request->workspaceUse,
        .tracing = m_request->tracing,
        .timeout = m_request->timeout,
        .mode = m_isStored ? experiments::RunMode::Resume : m_request->mode});
    for (const std::size_t trial : m_attempt)
        part->trials.push_back(planned(trial));
    return part;
}

std::vector<std::string> QueuedRun::orderedIds() const
{
    std::vector<std::string> ids;
    for (const std::size_t trial : m_order)
        ids.push_back(planned(trial).trialId);
    return ids;
}

QueuedRun::TrialIndices QueuedRun::apply(const RunBatch& batch, RepeatTimes& times)
{
    m_isStored = m_isStored || batch.isBegun;
    for (const RepeatTime& repeat : batch.repeats)
        times.add(m_kinds[m_attempt.at(repeat.trial)], repeat.time);
    TrialIndices changed;
    for (const TrialProgress& progress : batch.trials) {
        const std::size_t trial = m_attempt.at(progress.trial);
        if (m_again.contains(trial))
            continue;
        m_progress[trial] = progress;
        m_progress[trial].trial = trial;
        changed.push_back(trial);
    }
    if (!batch.wait)
        return changed;
    m_state = *batch.wait == RunWait::Paused ? RunState::Paused : RunState::Running;
    for (const std::size_t trial : m_order)
        if (TrialState& state = m_progress[trial].state; state == TrialState::Waiting || state == TrialState::Paused) {
            const bool hasBegun = m_progress[trial].finishedRepeats > 0;
            state = m_state == RunState::Paused && hasBegun ? TrialState::Paused : TrialState::Waiting;
            changed.push_back(trial);
        }
    return changed;
}

QueuedRun::TrialIndices QueuedRun::end(RunState state, const QString& message)
{
    TrialIndices changed;
    for (const std::size_t trial : m_attempt)
        if (TrialProgress& progress = m_progress[trial]; !isOver(progress.state) && !m_again.contains(trial)) {
            progress.state = TrialState::NotRun;
            progress.phase.clear();
            progress.begun.reset();
            changed.push_back(trial);
            progress.reason =
                state == RunState::Failed ? "the run could not be carried out" : "the run was stopped before its turn";
        }
    m_attempt.clear();
    m_message = message;
    m_state = m_again.empty() ? state : RunState::Waiting;
    m_again.clear();
    return changed;
}

std::optional<std::size_t> QueuedRun::running() const
{
    for (const TrialProgress& progress : m_progress)
        if (progress.state == TrialState::Running)
            return progress.trial;
    return std::nullopt;
}

QueuedRun::TrialIndices QueuedRun::retriable() const
{
    TrialIndices found;
    for (const std::size_t trial : m_order)
        if (canRetry(trial))
            found.push_back(trial);
    return found;
}

bool QueuedRun::retry(const TrialIndices& trials)
{
    const bool isUnderWay = m_state == RunState::Running || m_state == RunState::Paused;
    bool any = false;
    for (const std::size_t trial : trials)
        if (canRetry(trial)) {
            m_progress[trial] = {};
            m_progress[trial].trial = trial;
            if (isUnderWay)
                m_again.insert(trial);
            any = true;
        }
    if (any && !isUnderWay)
        m_state = RunState::Waiting;
    return any;
}

// A trial that is to be run again is already in the workspace, so it stays in the queue.
bool QueuedRun::canRemove(std::size_t trial) const
{
    return isMovable(trial) && !m_again.contains(trial) && m_progress[trial].finishedRepeats == 0;
}

bool QueuedRun::remove(std::size_t trial)
{
    if (!canRemove(trial))
        return false;
    std::erase(m_order, trial);
    return true;
}

bool QueuedRun::isMovable(std::size_t trial) const
{
    const TrialState state = m_progress[trial].state;
    return state == TrialState::Waiting || state == TrialState::Paused;
}

QueuedRun::TrialIndices QueuedRun::waiting() const
{
    TrialIndices found;
    for (const std::size_t trial : m_order)
        if (isMovable(trial))
            found.push_back(trial);
    return found;
}

bool QueuedRun::move(const TrialIndices& trials, QueueMove direction)
{
    const std::set<std::size_t> chosen(trials.begin(), trials.end());
    return rearrange(moved(waiting(), [&](std::size_t trial) { return chosen.contains(trial); }, direction));
}

bool QueuedRun::moveTo(const TrialIndices& trials, std::size_t row)
{
    const std::set<std::size_t> chosen(trials.begin(), trials.end());
    const auto end = m_order.begin() + static_cast<std::ptrdiff_t>(std::min(row, m_order.size()));
    const auto place = std::count_if(m_order.begin(), end, [this](std::size_t trial) { return isMovable(trial); });
    const auto isChosen = [&](std::size_t trial) { return chosen.contains(trial); };
    return rearrange(movedTo(waiting(), isChosen, static_cast<std::size_t>(place)));
}

// The waiting trials are distributed over the rows that they occupy; the others stay where they are.
bool QueuedRun::rearrange(const TrialIndices& waitingInNewOrder)
{
    TrialIndices order = m_order;
    auto next = waitingInNewOrder.begin();
    for (std::size_t& trial : order)
        if (isMovable(trial))
            trial = *next++;
    if (order == m_order)
        return false;
    m_order = std::move(order);
    return true;
}

} // namespace headroom::ui
