// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RepeatStore.h"

#include <chrono>
#include <utility>

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
    Early& early =
        m_early[{task.trial, task.repeat}] = {KeptRepeat(end.result), {}}; // there even where it cannot be stored
    early.remark = add(task, end.result, early.repeat, repeat.spool, repeat.startedAt);
}

std::string RepeatStore::keep(const RepeatTask& task, const RepeatEnd& end, const std::filesystem::path& spool,
    store::Timestamp startedAt, KeptRepeat& kept)
{
    m_startedAt[{task.trial, task.repeat}] = startedAt;
    if (auto early = m_early.extract({task.trial, task.repeat})) {
        kept = std::move(early.mapped().repeat);
        return early.mapped().remark;
    }
    kept = KeptRepeat(end.result);
    if (!end.isInterrupted())
        return add(task, end.result, kept, spool, startedAt);
    m_archive.setPlanned(task.trial);
    return {};
}

std::string RepeatStore::add(const RepeatTask& task, const RepeatResult& result, const KeptRepeat& kept,
    const std::filesystem::path& spool, store::Timestamp startedAt)
{
    return m_archive.add({.trial = task.trial,
        .repeat = task.repeat,
        .result = result,
        .startedAt = startedAt,
        .environmentJson = toJson(m_environment).dump(),
        .spool = spool,
        .kept = &kept});
}

std::vector<UnsavedRepeat> RepeatStore::all(const Results& told) const
{
    std::vector<UnsavedRepeat> all;
    const auto note = [&](std::size_t trial, int repeat, const KeptRepeat& kept) {
        const auto startedAt = m_startedAt.find({trial, repeat});
        all.push_back({trial, repeat, kept.result(),
            startedAt == m_startedAt.end()
                ? std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())
                : startedAt->second});
    };
    for (std::size_t trial = 0; trial < told.size(); ++trial)
        for (const auto& [repeat, kept] : told[trial])
            note(trial, repeat, kept);
    for (const auto& [place, early] : m_early)
        note(place.first, place.second, early.repeat);
    return all;
}

} // namespace headroom::experiments
