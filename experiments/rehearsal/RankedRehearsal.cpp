// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RankedRehearsal.h"

#include "experiments/run/PrivateFolder.h"

#include <fstream>
#include <future>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

FinishedRehearsal rehearseOne(const RehearsalTerms& terms, const std::stop_token& stop, const RehearsalWatcher& watcher,
    const std::optional<RankPlace>& place)
{
    FinishedRehearsal finished;
    finished.run = runRehearsed(terms, RehearsedCard::Capacity::OfTheCard, stop, watcher, place);
    std::optional<RehearsedRun> unlimited;
    if (endedForMemory(finished.run) && !stop.stop_requested())
        unlimited = runRehearsed(terms, RehearsedCard::Capacity::Unlimited, stop, watcher, place);
    finished.row = judgeRehearsal(terms, finished.run, unlimited);
    return finished;
}

/// Tells the others that a rank sends no more.
class EndOfRank {
public:
    explicit EndOfRank(const RankPlace& place)
        : m_file(place.messages / (std::to_string(place.rank) + ".ended"))
    {
    }
    ~EndOfRank() { std::ofstream{m_file}; }
    EndOfRank(const EndOfRank&) = delete;
    EndOfRank& operator=(const EndOfRank&) = delete;

private:
    fs::path m_file;
};

FinishedRehearsal rehearseRank(
    const RehearsalTerms& terms, const std::stop_token& stop, const RehearsalWatcher& watcher, const RankPlace& place)
{
    const EndOfRank end(place);
    return rehearseOne(terms, stop, place.rank == terms.ranks.front() ? watcher : RehearsalWatcher{}, place);
}

FinishedRehearsal worstOf(std::vector<FinishedRehearsal> all)
{
    std::size_t worst = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
        if (isWorse(all[i].row, all[worst].row))
            worst = i;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i != worst)
            all[worst].row.otherRanks.push_back(std::move(all[i].row.rank));
    return std::move(all[worst]);
}

} // namespace

FinishedRehearsal rehearse(const RehearsalTerms& terms, const std::stop_token& stop, const RehearsalWatcher& watcher)
{
    if (terms.ranks.empty())
        return rehearseOne(terms, stop, watcher, {});
    const PrivateFolder messages(PrivateFolder::Purpose::Writes, fs::temp_directory_path());
    std::vector<std::future<FinishedRehearsal>> runs;
    for (const int rank : terms.ranks)
        runs.push_back(std::async(std::launch::async,
            [&, place = RankPlace{rank, messages.path()}] { return rehearseRank(terms, stop, watcher, place); }));
    std::vector<FinishedRehearsal> all;
    for (auto& run : runs)
        all.push_back(run.get());
    return worstOf(std::move(all));
}

} // namespace headroom::experiments
