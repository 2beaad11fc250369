// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RunControl.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace headroom::experiments {

void RunControl::pause()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isPaused = true;
    }
    tellListener();
}

void RunControl::resume()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isPaused = false;
    }
    m_resumed.notify_all();
    tellListener();
}

bool RunControl::isPaused() const
{
    const std::scoped_lock lock(m_mutex);
    return m_isPaused;
}

void RunControl::setOrder(const std::vector<std::string>& trialIds)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_ranks.clear();
        for (const std::string& trial : trialIds)
            m_ranks.emplace(trial, m_ranks.size());
        m_isChanged = true;
    }
    tellListener();
}

void RunControl::removeTrial(const std::string& trialId)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_removed.insert(trialId);
        m_isChanged = true;
    }
    tellListener();
}

void RunControl::stopTrial(const std::string& trialId)
{
    std::vector<std::stop_source> running;
    {
        const std::scoped_lock lock(m_mutex);
        m_removed.insert(trialId);
        m_stopped.insert(trialId);
        m_isChanged = true;
        const auto [first, last] = m_running.equal_range(trialId);
        std::transform(first, last, std::back_inserter(running), [](const auto& repeat) { return repeat.second; });
    }
    for (std::stop_source& stop : running) // outside of the lock: a request runs what waits for it
        stop.request_stop();
    tellListener();
}

void RunControl::waitWhilePaused(const std::stop_token& stop) const
{
    std::unique_lock lock(m_mutex);
    m_resumed.wait(lock, stop, [this] { return !m_isPaused; });
}

std::set<std::size_t> RunControl::arrange(std::deque<RepeatTask>& pending, std::span<const PlannedTrial> trials)
{
    const std::scoped_lock lock(m_mutex);
    if (!std::exchange(m_isChanged, false))
        return {};
    std::set<std::size_t> removed;
    for (const RepeatTask& task : pending)
        if (m_removed.contains(trials[task.trial].trialId))
            removed.insert(task.trial);
    std::erase_if(pending, [&](const RepeatTask& task) { return removed.contains(task.trial); });
    const auto place = [&](const RepeatTask& task) {
        const auto rank = m_ranks.find(trials[task.trial].trialId);
        const auto last = std::numeric_limits<std::size_t>::max();
        return std::tuple(task.repeat, rank == m_ranks.end() ? last : rank->second, task.trial);
    };
    std::sort(pending.begin(), pending.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return removed;
}

void RunControl::beginRepeat(const std::string& trialId, const std::stop_source& stop)
{
    bool isStopped = false;
    {
        const std::scoped_lock lock(m_mutex);
        m_running.emplace(trialId, stop);
        isStopped = m_stopped.contains(trialId);
    }
    if (isStopped)
        std::stop_source(stop).request_stop();
}

void RunControl::endRepeat(const std::string& trialId, const std::stop_source& stop)
{
    const std::scoped_lock lock(m_mutex);
    const auto [first, last] = m_running.equal_range(trialId);
    m_running.erase(std::find_if(first, last, [&](const auto& repeat) { return repeat.second == stop; }));
}

void RunControl::setListener(std::function<void()> listener)
{
    const std::scoped_lock lock(m_listenerMutex);
    m_listener = std::move(listener);
}

void RunControl::tellListener()
{
    const std::scoped_lock lock(m_listenerMutex);
    if (m_listener)
        m_listener();
}

} // namespace headroom::experiments
