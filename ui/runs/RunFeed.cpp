// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/RunFeed.h"

#include "experiments/results/Shortage.h"
#include "experiments/sweep/TrialQueue.h"

#include <utility>

namespace headroom::ui {

using experiments::PlannedTrial;

RunFeed::RunFeed(std::shared_ptr<const RunRequest> request, std::function<void()> notify)
    : m_request(std::move(request))
    , m_notify(std::move(notify))
{
    for (std::size_t i = 0; i < m_request->trials.size(); ++i)
        m_index.emplace(m_request->trials[i].trialId, i);
}

RunBatch RunFeed::take()
{
    const std::scoped_lock lock(m_mutex);
    m_isTaken = true;
    for (auto& [trial, progress] : std::exchange(m_changed, {}))
        m_batch.trials.push_back(std::move(progress));
    return std::exchange(m_batch, {});
}

template <typename Change> void RunFeed::changeBatch(Change apply)
{
    bool wasTaken = false;
    {
        const std::scoped_lock lock(m_mutex);
        apply();
        wasTaken = std::exchange(m_isTaken, false);
    }
    if (wasTaken)
        m_notify();
}

template <typename Change> void RunFeed::change(const PlannedTrial& trial, Change apply)
{
    const std::size_t index = m_index.at(trial.trialId);
    TrialProgress& progress = m_begun[index];
    progress.trial = index;
    apply(progress);
    changeBatch([&] {
        m_changed[index] = progress;
        m_batch.isStored = m_batch.isStored || std::exchange(m_isUnstored, false);
    });
}

void RunFeed::runStarted(const std::string&, std::span<const PlannedTrial>)
{
    changeBatch([&] { m_batch.isBegun = true; });
}

void RunFeed::repeatStarted(const PlannedTrial& trial, int)
{
    change(trial, [](TrialProgress& progress) {
        progress.state = TrialState::Running;
        progress.phase = "start";
        progress.step = 0;
        progress.begun = TrialProgress::Clock::now();
    });
}

void RunFeed::phaseStarted(const PlannedTrial& trial, const std::string& phase, std::int64_t step)
{
    change(trial, [&](TrialProgress& progress) {
        progress.phase = phase;
        progress.step = step;
    });
}

void RunFeed::stepFinished(const PlannedTrial& trial, std::int64_t step, std::int64_t)
{
    change(trial, [&](TrialProgress& progress) { progress.step = step; });
}

void RunFeed::sampleTaken(const PlannedTrial& trial, std::int64_t, double)
{
    change(trial, [](TrialProgress& progress) { ++progress.samples; });
}

// Memory and speed are not taken from the repeat: the trial's result gives them over all repeats.
void RunFeed::repeatFinished(const PlannedTrial& trial, int, const protocol::RepeatResult& result)
{
    std::chrono::duration<double> time{};
    change(trial, [&](TrialProgress& progress) {
        time = TrialProgress::Clock::now() - progress.begun.value_or(TrialProgress::Clock::now());
        progress.spent += time;
        progress.begun.reset();
        progress.phase.clear();
        progress.step = 0;
        progress.finishedRepeats += result.outcome == Outcome::Cancelled ? 0 : 1;
        progress.state = TrialState::Waiting;
    });
    if (result.outcome != Outcome::Cancelled)
        changeBatch([&] { m_batch.repeats.push_back({m_index.at(trial.trialId), time}); });
    m_isUnstored = true;
}

void RunFeed::trialFinished(const PlannedTrial& trial, const experiments::TrialResult& result)
{
    change(trial, [&](TrialProgress& progress) {
        progress.state = stateOf(result.outcome);
        progress.finishedRepeats = std::max(progress.finishedRepeats, experiments::repeatsNeeded(trial));
        progress.reason = result.reason;
        progress.shortage = experiments::shortageText(result);
        progress.needed = result.memory.need.needed;
        progress.peakAllocated = result.memory.peak.allocated;
        progress.peakReserved = result.memory.peak.reserved;
        progress.stepsPerSecond = result.speed.stepsPerSecond;
    });
}

void RunFeed::remark(const std::string& text)
{
    addLine({QDateTime::currentDateTime(), LogSource::Remark, {}, {}, QString::fromStdString(text)});
}

void RunFeed::workerLog(const PlannedTrial& trial, const std::string& line)
{
    addLine({QDateTime::currentDateTime(), LogSource::Worker, QString::fromStdString(trial.trialId),
        QString::fromStdString(trial.label), QString::fromStdString(line)});
}

void RunFeed::addLine(LogLine line)
{
    changeBatch([&] {
        m_batch.log.append(std::move(line));
        if (m_batch.log.size() > 2 * kMostLogLines) {
            m_batch.droppedLogLines += m_batch.log.size() - kMostLogLines;
            m_batch.log.remove(0, m_batch.log.size() - kMostLogLines);
        }
    });
}

void RunFeed::runPaused()
{
    changeBatch([&] {
        m_batch.wait = RunWait::Paused;
        m_batch.isStored = m_batch.isStored || std::exchange(m_isUnstored, false);
    });
}

void RunFeed::runResumed()
{
    changeBatch([&] { m_batch.wait = RunWait::None; });
}

} // namespace headroom::ui
