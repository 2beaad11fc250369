// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/ExperimentRunner.h"

#include "core/base/Error.h"
#include "core/base/FreedMemory.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/run/PrivateFolder.h"
#include "experiments/run/RepeatSchedule.h"
#include "experiments/run/RepeatStore.h"
#include "experiments/run/RunControl.h"
#include "experiments/run/RunRemarks.h"
#include "experiments/run/TrialRecords.h"
#include "experiments/sweep/TrialQueue.h"
#include "experiments/verdict/BudgetJudge.h"
#include "experiments/verdict/DeviceFit.h"
#include "experiments/verdict/Plausibility.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace headroom::experiments {
namespace {

using protocol::RepeatResult;
using RunClock = std::chrono::steady_clock;

bool isFailure(Outcome outcome)
{
    return outcome == Outcome::Failed || outcome == Outcome::TimedOut;
}

RepeatResult skipped(const PlannedTrial& planned)
{
    RepeatResult result;
    result.outcome = Outcome::Skipped;
    result.reason = planned.skipReason();
    return result;
}

// One run from its checks to its summary.
class Run {
public:
    Run(const RunOptions& options, RunObserver& observer, const ExperimentSpec& spec,
        const std::vector<PlannedTrial>& trials)
        : m_options(options)
        , m_observer(observer)
        , m_spec(spec)
        , m_trials(trials)
        , m_control(options.control ? *options.control : m_ownControl)
        , m_executor(
              options.worker, [this](const std::string& line) { passLog(line); }, options.traceDepth)
        , m_deviceFit(options.resources)
        , m_environment(captureEnvironment())
        , m_results(trials.size())
        , m_records(spec.name, trials, m_deviceFit)
        , m_isTold(trials.size())
    {
        for (const PlannedTrial& planned : trials)
            m_deviceFit.requireDevice(planned.trial.device, "device.name");
        m_summary.experiment = spec.name;
        m_summary.trials = std::ssize(trials);
    }

    void carryOut(const std::filesystem::path& workspace)
    {
        PrivateFolder::removeLeft();
        m_archive.emplace(workspace, m_options.traceLimit, m_options.workspaceUse);
        m_store.emplace(*m_archive, m_environment);
        m_archive->begin(m_spec, m_trials, m_options.mode, m_options.commandLine,
            [this](std::size_t trial, auto repeats) { takeOver(trial, std::move(repeats)); });
        m_archive->waitForOthers();
        m_observer.runStarted(m_spec.name, m_trials);
        const auto kept = std::accumulate(m_results.begin(), m_results.end(), std::size_t{0},
            [](std::size_t sum, const auto& repeats) { return sum + repeats.size(); });
        for (const auto& remark : remarksAtStart(m_options.mode, kept, m_archive->damages(), workspace, m_trials))
            m_observer.remark(remark);
        const auto isFinished = [&](std::size_t trial, int repeat) { return m_results[trial].contains(repeat); };
        m_schedule.emplace(m_options, m_control, m_trials, repeatTasks(m_trials, isFinished),
            [this](const RepeatTask& task) { return spoolOf(task); });
        while (takeInSimulated() || runMeasured()) { }
        m_schedule->stop();
        finishShortened();
        finishCompleteTrialsBefore(m_trials.size());
        repeatContradictions();
        finishRun();
    }

    const RunSummary& summary() const { return m_summary; }

    UnsavedRun unsaved() const
    {
        UnsavedRun run{m_spec, m_trials, m_options.commandLine, toJson(m_environment).dump(), {}};
        if (m_store)
            run.repeats = m_store->all(m_results);
        return run;
    }

    ResultsDocument takeDocument()
    {
        m_results.clear(); // they are stored
        ResultsDocument document;
        document.experiment = m_spec.name;
        document.environment = toJson(m_environment);
        SweepResults records = m_records.take();
        document.trials.reserve(records.size());
        for (std::size_t i = 0; i < m_trials.size(); ++i)
            if (records[i])
                document.trials.push_back(std::move(*records[i]));
            else
                document.notRun.push_back(notRunResult(m_spec.name, m_trials[i]));
        document.summary = toJson(m_summary);
        return document;
    }

private:
    // Of an earlier run. A trial that is complete gets its record at once; its turn to be told comes.
    void takeOver(std::size_t trial, std::map<int, KeptRepeat> repeats)
    {
        m_results[trial] = std::move(repeats);
        if (isComplete(trial))
            m_records.make(trial, m_results[trial]);
    }

    bool mayGoOn()
    {
        m_summary.interrupted = m_summary.interrupted || m_options.stop.stop_requested();
        return !m_summary.interrupted && !m_stoppedAtFailure;
    }

    // False: no simulated repeat runs, and none may begin now.
    bool takeInSimulated()
    {
        const SimulatedRepeat* next = m_schedule->nextSimulated();
        if (next == nullptr)
            return false;
        const SimulatedRepeat repeat = *next;
        const bool isExpected = mayGoOn();
        if (isExpected)
            announce(repeat.task);
        const RepeatEnd end = m_schedule->takeSimulated(
            [this](const SimulatedRepeat& other, const RepeatEnd& its) { m_store->storeEarly(other, its); });
        // The end of a run ends all that run: those that nobody has heard of have not been begun.
        if (!isExpected && end.isInterrupted())
            return true;
        if (!isExpected)
            announce(repeat.task);
        tellWhatCame(repeat.task, end);
        keep(repeat.task, end, repeat.spool, repeat.startedAt);
        return true;
    }

    void announce(const RepeatTask& task)
    {
        finishShortened();
        finishCompleteTrialsBefore(task.trial);
        m_observer.repeatStarted(m_trials[task.trial], task.repeat);
    }

    void tellWhatCame(const RepeatTask& task, const RepeatEnd& end)
    {
        const PlannedTrial& planned = m_trials[task.trial];
        for (const protocol::WorkerEvent& event : end.events)
            m_observer.workerSaid(planned, event);
        for (const std::string& line : end.log)
            m_observer.workerLog(planned, line);
        if (end.worker)
            m_environment.worker = end.worker;
        m_observer.repeatFinished(planned, task.repeat, end.result);
    }

    // False: nothing is left to be run, or nothing may be.
    bool runMeasured()
    {
        if (mayGoOn())
            waitWhilePaused();
        const auto task = mayGoOn() ? m_schedule->beginMeasured() : std::nullopt;
        if (task) {
            run(*task);
            m_schedule->endMeasured();
        }
        return mayGoOn() && (task || !m_schedule->isEmpty());
    }

    void waitWhilePaused()
    {
        if (!m_control.isPaused() || m_schedule->isEmpty())
            return;
        m_observer.runPaused();
        m_control.waitWhilePaused(m_options.stop);
        if (mayGoOn())
            m_observer.runResumed();
    }

    // Those to which the control has left fewer repeats than were planned are over with the ones that they have.
    void finishShortened()
    {
        for (const std::size_t trial : m_schedule->takeShortened())
            finishIfBegun(trial);
    }

    void finishIfBegun(std::size_t trial)
    {
        if (!m_isTold[trial] && !m_results[trial].empty())
            finish(trial);
    }

    bool isComplete(std::size_t trial) const
    {
        for (int repeat = 0; repeat < repeatsNeeded(m_trials[trial]); ++repeat)
            if (!m_results[trial].contains(repeat))
                return false;
        return true;
    }

    // Skipped trials and those of an earlier run take their place in the order of the sweep.
    void finishCompleteTrialsBefore(std::size_t end)
    {
        for (; m_next < end; ++m_next)
            if (!m_isTold[m_next] && isComplete(m_next)) {
                KeptRepeat unused;
                if (!m_trials[m_next].isRunnable())
                    store({m_next, 0}, {skipped(m_trials[m_next])}, {}, systemNow(), unused);
                finish(m_next);
            }
    }

    // A measured speed that contradicts another one is measured once more, in the other order: what was the machine's
    // doing does not come back, and what does is flagged.
    void repeatContradictions()
    {
        const std::vector<std::size_t> trials = contradictingTrials(m_records.all());
        for (auto trial = trials.rbegin(); trial != trials.rend() && mayGoOn(); ++trial) {
            const int repeat = repeatsNeeded(m_trials[*trial]);
            if (m_results[*trial].contains(repeat))
                continue;
            m_observer.remark(m_trials[*trial].label + ": its speed contradicts another trial's and is measured again");
            run({*trial, repeat});
        }
    }

    bool isTraced(const PlannedTrial& planned) const
    {
        return m_options.tracing == Tracing::On
            || (m_options.tracing == Tracing::Chosen && m_options.tracedTrials.contains(planned.trialId));
    }

    bool isExtra(const RepeatTask& task) const { return task.repeat >= repeatsNeeded(m_trials[task.trial]); }

    std::filesystem::path spoolOf(const RepeatTask& task) const
    {
        return isTraced(m_trials[task.trial]) ? m_archive->spoolPath(task.trial, task.repeat) : std::filesystem::path();
    }

    void run(const RepeatTask& task)
    {
        const PlannedTrial& planned = m_trials[task.trial];
        const store::Timestamp startedAt = systemNow();
        const std::filesystem::path spool = spoolOf(task);
        const SpoolGuard guard(spool);
        finishShortened();
        finishCompleteTrialsBefore(task.trial);
        if (!isExtra(task))
            m_archive->setRunning(task.trial);
        m_observer.repeatStarted(planned, task.repeat);
        m_current = &planned;
        RepeatEnd end = m_schedule->carryOut(m_executor, task, spool,
            [&](const protocol::WorkerEvent& event) { m_observer.workerSaid(planned, event); });
        end.worker = m_executor.worker();
        tellWhatCame(task, end);
        keep(task, end, spool, startedAt);
    }

    void keep(
        const RepeatTask& task, const RepeatEnd& end, const std::filesystem::path& spool, store::Timestamp startedAt)
    {
        m_summary.interrupted = m_summary.interrupted || end.isInterrupted();
        if (isExtra(task) && end.result.outcome != Outcome::Completed)
            return;
        store(task, end, spool, startedAt, m_results[task.trial][task.repeat]);
        if (m_options.onFailure == FailurePolicy::FailFast && isFailure(end.result.outcome))
            stopAtFailure();
        if (!mayGoOn() || end.isStopped || isComplete(task.trial))
            finish(task.trial);
    }

    // What is finished by now is a result, as after an interruption.
    void stopAtFailure()
    {
        m_stoppedAtFailure = true;
        m_schedule->endSoon();
    }

    void store(const RepeatTask& task, const RepeatEnd& end, const std::filesystem::path& spool,
        store::Timestamp startedAt, KeptRepeat& kept)
    {
        if (const std::string remark = m_store->keep(task, end, spool, startedAt, kept); !remark.empty())
            m_observer.remark(remark);
        if (!end.isInterrupted())
            for (const std::string& text : end.result.diagnostics)
                m_observer.remark(m_trials[task.trial].label + ": " + text);
    }

    // What a worker says at its end belongs to the trial that it carried out last.
    void passLog(const std::string& line)
    {
        if (m_current != nullptr)
            m_observer.workerLog(*m_current, line);
    }

    void finish(std::size_t trial)
    {
        if (!m_records.has(trial) || m_isTold[trial])
            m_records.make(trial, m_results[trial]);
        if (!m_isTold[trial])
            ++m_summary.outcomes[m_records.of(trial).outcome];
        m_isTold[trial] = true;
        m_observer.trialFinished(m_trials[trial], m_records.of(trial));
    }

    void finishRun()
    {
        // An interruption leaves trials of which some repeats are there: they are results too.
        for (std::size_t trial = 0; trial < m_trials.size(); ++trial)
            finishIfBegun(trial);
        const auto log = [this](std::size_t trial, const std::string& line) {
            m_observer.workerLog(m_trials[trial], line);
        };
        std::vector<std::string> remarks = m_schedule->finish(log);
        remarks.push_back(m_executor.finish());
        std::erase(remarks, std::string());
        for (const std::string& remark : remarks) {
            m_archive->addRemark(remark);
            m_observer.remark(remark);
        }
        returnFreedMemory(16 * kMiB); // what was read and run is many times as large as what is kept of it
        m_records.flagSweep();
        m_summary.flags = raisedFlags(m_records.all());
        m_summary.notRun = m_summary.trials;
        for (const auto& [outcome, count] : m_summary.outcomes)
            m_summary.notRun -= count;
        m_summary.seconds = std::chrono::duration<double>(RunClock::now() - m_begin).count();
        m_summary.budgets = judge(m_spec.budgets, m_trials, m_records.all());
        m_archive->end(m_summary, toJson(m_environment).dump(), m_deviceFit);
        m_observer.runFinished(m_summary);
    }

    static store::Timestamp systemNow()
    {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }

    const RunOptions& m_options;
    RunObserver& m_observer;
    const ExperimentSpec& m_spec;
    const std::vector<PlannedTrial>& m_trials;
    RunControl m_ownControl; ///< where the options have none
    RunControl& m_control;
    RepeatExecutor m_executor;
    DeviceFit m_deviceFit;
    Environment m_environment;
    std::optional<ExperimentArchive> m_archive;
    std::optional<RepeatStore> m_store;
    RepeatStore::Results m_results;
    TrialRecords m_records;
    std::vector<bool> m_isTold; ///< whether the observer has heard of the trial's record
    std::size_t m_next = 0; ///< the first trial not looked at by finishCompleteTrialsBefore
    const PlannedTrial* m_current = nullptr; ///< of the last measured repeat that began
    bool m_stoppedAtFailure = false;
    RunSummary m_summary;
    RunClock::time_point m_begin = RunClock::now();
    std::optional<RepeatSchedule> m_schedule; ///< last: its workers end before the rest goes
};

} // namespace

ExperimentRunner::ExperimentRunner(RunOptions options, RunObserver& observer)
    : m_options(std::move(options))
    , m_observer(observer)
{
}

ResultsDocument ExperimentRunner::run(
    const ExperimentSpec& spec, const std::vector<PlannedTrial>& trials, const std::filesystem::path& workspace)
{
    Run run(m_options, m_observer, spec, trials);
    m_unsaved.reset();
    try {
        run.carryOut(workspace);
    } catch (const FileError&) { // a lock that is not given back and a write that fails lose as much as damage does
        m_unsaved = std::make_shared<const UnsavedRun>(run.unsaved());
        throw;
    }
    m_summary = run.summary();
    return run.takeDocument();
}

} // namespace headroom::experiments
