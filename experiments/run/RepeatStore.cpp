// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RepeatStore.h"

#include <chrono>

namespace headroom::experiments {

using protocol::RepeatResult;

void RepeatStore::storeEarly(const SimulatedRepeat& repeat, const RepeatEnd& end)
{
    if (end.isInterrupted())
        return;
    if (end.worker)
        m_environment.worker = end.worker;
    const RepeatTask& task = repeat.task;
    m_startedAt[{task.trial, task.repeat}] = repeat.startedAt;
    Early& early = m_early[{task.trial, task.repeat}] = {end.result, {}}; // there even where it cannot be stored
    early.remark = add(task, end.result, repeat.spool, repeat.startedAt);
}

std::string RepeatStore::keep(
    const RepeatTask& task, const RepeatEnd& end, const std::filesystem::path& spool, store::Timestamp startedAt)
{
    m_startedAt[{task.trial, task.repeat}] = startedAt;
    if (const auto early = m_early.extract({task.trial, task.repeat}))
        return early.mapped().remark;
    if (!end.isInterrupted())
        return add(task, end.result, spool, startedAt);
    m_archive.setPlanned(task.trial);
    return {};
}

std::string RepeatStore::add(
    const RepeatTask& task, const RepeatResult& result, const std::filesystem::path& spool, store::Timestamp startedAt)
{
    return m_archive.add({.trial = task.trial,
        .repeat = task.repeat,
        .result = result,
        .startedAt = startedAt,
        .environmentJson = toJson(m_environment).dump(),
        .spool = spool});
}

std::vector<UnsavedRepeat> RepeatStore::all(const Results& told) const
{
    std::vector<UnsavedRepeat> all;
    const auto note = [&](std::size_t trial, int repeat, const RepeatResult& result) {
        const auto startedAt = m_startedAt.find({trial, repeat});
        all.push_back({trial, repeat, result,
            startedAt == m_startedAt.end()
                ? std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())
                : startedAt->second});
    };
    for (std::size_t trial = 0; trial < told.size(); ++trial)
        for (const auto& [repeat, result] : told[trial])
            note(trial, repeat, result);
    for (const auto& [place, early] : m_early)
        note(place.first, place.second, early.result);
    return all;
}

} // namespace headroom::experiments
