// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RepeatSchedule.h"

#include <algorithm>
#include <chrono>
#include <memory>

namespace headroom::experiments {
namespace {

// So that one repeat which takes long holds up no worker, and what waits for it stays small.
constexpr std::size_t kMostAheadPerWorker = 32;

std::size_t workersFor(std::size_t jobs, std::size_t simulated)
{
    return std::min(jobs == 0 ? coresOfThisProcess() : jobs, simulated);
}

} // namespace

/// Simulates on one thread of the pool.
class RepeatSchedule::ResidentWorker {
public:
    explicit ResidentWorker(RepeatSchedule& schedule)
        : m_schedule(schedule)
        , m_executor(
              schedule.m_options.worker, [this](const std::string& line) { m_log.push_back(line); },
              schedule.m_options.traceDepth)
    {
    }

    // The pool's thread has let go of its lock by now.
    ~ResidentWorker()
    {
        const std::string remark = m_executor.finish();
        m_schedule.m_pool.change([&] {
            m_schedule.m_remarks.push_back(remark);
            for (std::string& line : m_log)
                m_schedule.m_lastWords.emplace_back(m_lastTrial, std::move(line));
        });
    }
    ResidentWorker(const ResidentWorker&) = delete;
    ResidentWorker& operator=(const ResidentWorker&) = delete;

    RepeatEnd carryOut(const SimulatedRepeat& repeat)
    {
        m_lastTrial = repeat.task.trial;
        std::vector<protocol::WorkerEvent> events;
        const auto note = [&](const protocol::WorkerEvent& event) {
            if (event.kind != protocol::EventKind::Outcome)
                events.push_back(event);
        };
        RepeatEnd end = m_schedule.carryOut(m_executor, repeat.task, repeat.spool, note, m_schedule.m_stop.get_token());
        end.events = std::move(events);
        end.log = std::exchange(m_log, {});
        end.worker = m_executor.worker();
        return end;
    }

private:
    RepeatSchedule& m_schedule;
    std::size_t m_lastTrial = 0;
    std::vector<std::string> m_log;
    RepeatExecutor m_executor;
};

RepeatSchedule::RepeatSchedule(const RunOptions& options, RunControl& control, std::span<const PlannedTrial> trials,
    const std::vector<RepeatTask>& tasks, SpoolOf spoolOf)
    : m_options(options)
    , m_control(control)
    , m_trials(trials)
    , m_spoolOf(std::move(spoolOf))
    , m_pending(tasks.begin(), tasks.end())
    , m_pool(workersFor(options.jobs,
                 static_cast<std::size_t>(
                     std::ranges::count_if(tasks, [this](const RepeatTask& task) { return isSimulated(task); }))),
          *this,
          [this] {
              const auto worker = std::make_shared<ResidentWorker>(*this);
              return [worker](const SimulatedRepeat& repeat) { return worker->carryOut(repeat); };
          })
    , m_wakeAtStop(options.stop, [this] { wake(); })
{
    m_control.setListener([this] { wake(); });
}

RepeatSchedule::~RepeatSchedule()
{
    m_control.setListener(nullptr);
    stop();
}

// Called by the pool with its lock held, as are the next two.
bool RepeatSchedule::hasNext()
{
    if (m_isMeasuring || m_stop.stop_requested() || m_options.stop.stop_requested() || m_control.isPaused()
        || m_ahead >= kMostAheadPerWorker * std::max<std::size_t>(1, m_pool.threads()))
        return false;
    arrange();
    return !m_pending.empty() && isSimulated(m_pending.front());
}

SimulatedRepeat RepeatSchedule::next()
{
    const RepeatTask task = m_pending.front();
    m_pending.pop_front();
    ++m_ahead;
    const std::filesystem::path spool = m_spoolOf(task);
    return {task, spool, std::make_shared<SpoolGuard>(spool),
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())};
}

void RepeatSchedule::arrange()
{
    m_shortened.merge(m_control.arrange(m_pending, m_trials));
}

RepeatEnd RepeatSchedule::takeSimulated(const Look& look)
{
    RepeatEnd end = m_pool.take(look);
    m_pool.change([this] { --m_ahead; });
    return end;
}

std::optional<RepeatTask> RepeatSchedule::beginMeasured()
{
    return m_pool.change([this]() -> std::optional<RepeatTask> {
        arrange();
        if (m_pending.empty() || isSimulated(m_pending.front()))
            return std::nullopt;
        m_isMeasuring = true;
        const RepeatTask task = m_pending.front();
        m_pending.pop_front();
        return task;
    });
}

void RepeatSchedule::endMeasured()
{
    m_pool.change([this] { m_isMeasuring = false; });
}

bool RepeatSchedule::isEmpty()
{
    return m_pool.change([this] { return m_pending.empty(); });
}

void RepeatSchedule::wake()
{
    m_pool.change([] { });
}

std::set<std::size_t> RepeatSchedule::takeShortened()
{
    return m_pool.change([this] { return std::exchange(m_shortened, {}); });
}

void RepeatSchedule::endSoon()
{
    m_stop.request_stop();
    wake();
}

void RepeatSchedule::stop()
{
    endSoon();
    m_pool.drain();
}

std::vector<std::string> RepeatSchedule::finish(const LogSink& log)
{
    m_pool.end();
    for (const auto& [trial, line] : m_lastWords)
        log(trial, line);
    return std::exchange(m_remarks, {});
}

RepeatEnd RepeatSchedule::carryOut(RepeatExecutor& executor, const RepeatTask& task, const std::filesystem::path& spool,
    const WorkerSession::EventSink& sink, const std::stop_token& otherStop)
{
    const PlannedTrial& planned = m_trials[task.trial];
    std::stop_source stop;
    const auto request = [&stop] { stop.request_stop(); };
    const std::stop_callback withTheRun(m_options.stop, request);
    const std::stop_callback withTheRest(otherStop, request);
    m_control.beginRepeat(planned.trialId, stop);
    RepeatEnd end{executor.carryOut(planned, task.repeat, spool,
        {.timeout = m_options.timeout ? m_options.timeout : planned.timeout, .stop = stop.get_token()}, sink)};
    m_control.endRepeat(planned.trialId, stop);
    end.isStopped = stop.stop_requested() && !m_options.stop.stop_requested() && !otherStop.stop_requested();
    if (end.isStopped && end.result.outcome == Outcome::Cancelled)
        end.result.reason = "stopped in phase " + end.result.phase;
    return end;
}

} // namespace headroom::experiments
