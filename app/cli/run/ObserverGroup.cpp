// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/ObserverGroup.h"

namespace headroom::cli {

using namespace experiments;

void ObserverGroup::runStarted(const std::string& experiment, std::span<const PlannedTrial> trials)
{
    for (RunObserver* observer : m_observers)
        observer->runStarted(experiment, trials);
}

void ObserverGroup::repeatStarted(const PlannedTrial& trial, int repeat)
{
    for (RunObserver* observer : m_observers)
        observer->repeatStarted(trial, repeat);
}

void ObserverGroup::phaseStarted(const PlannedTrial& trial, const std::string& phase, std::int64_t step)
{
    for (RunObserver* observer : m_observers)
        observer->phaseStarted(trial, phase, step);
}

void ObserverGroup::stepFinished(const PlannedTrial& trial, std::int64_t step, std::int64_t total)
{
    for (RunObserver* observer : m_observers)
        observer->stepFinished(trial, step, total);
}

void ObserverGroup::sampleTaken(const PlannedTrial& trial, std::int64_t step, double seconds)
{
    for (RunObserver* observer : m_observers)
        observer->sampleTaken(trial, step, seconds);
}

void ObserverGroup::repeatFinished(const PlannedTrial& trial, int repeat, const protocol::RepeatResult& result)
{
    for (RunObserver* observer : m_observers)
        observer->repeatFinished(trial, repeat, result);
}

void ObserverGroup::trialFinished(const PlannedTrial& trial, const TrialResult& result)
{
    for (RunObserver* observer : m_observers)
        observer->trialFinished(trial, result);
}

void ObserverGroup::remark(const std::string& text)
{
    for (RunObserver* observer : m_observers)
        observer->remark(text);
}

void ObserverGroup::workerLog(const PlannedTrial& trial, const std::string& line)
{
    for (RunObserver* observer : m_observers)
        observer->workerLog(trial, line);
}

void ObserverGroup::runPaused()
{
    for (RunObserver* observer : m_observers)
        observer->runPaused();
}

void ObserverGroup::runResumed()
{
    for (RunObserver* observer : m_observers)
        observer->runResumed();
}

void ObserverGroup::runFinished(const RunSummary& summary)
{
    for (RunObserver* observer : m_observers)
        observer->runFinished(summary);
}

} // namespace headroom::cli
