// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/Query.h"
#include "profiling/store/workspace/Workspace.h"

#include <array>

// What Workspace reads about many trials at once.
namespace headroom::store {
namespace {

// From best to worst; the positions are those of the query below.
constexpr std::array kByBadness{
    Outcome::Skipped, Outcome::Completed, Outcome::OutOfMemory, Outcome::Cancelled, Outcome::TimedOut, Outcome::Failed};

constexpr auto kSelectEnds = R"sql(
SELECT t.experiment, t.device, json_extract(t.request_json, '$.model.name'),
       (SELECT max(CASE r.outcome WHEN 'skipped' THEN 0 WHEN 'completed' THEN 1 WHEN 'out_of_memory' THEN 2
                                  WHEN 'cancelled' THEN 3 WHEN 'timed_out' THEN 4 ELSE 5 END)
        FROM repeats AS r WHERE r.trial = t.id)
FROM trials AS t)sql";

constexpr auto kSelectSeconds = R"sql(
SELECT t.trial_id, avg((r.finished_at_ms - r.started_at_ms) / 1000.0)
FROM repeats AS r JOIN trials AS t ON t.id = r.trial
WHERE r.outcome = 'completed' AND r.started_at_ms IS NOT NULL AND r.finished_at_ms IS NOT NULL
GROUP BY t.trial_id)sql";

constexpr auto kSelectTraced = R"sql(
SELECT t.trial_id, r.id FROM repeats AS r JOIN trials AS t ON t.id = r.trial
WHERE EXISTS (SELECT 1 FROM event_blocks AS b WHERE b.repeat = r.id)
ORDER BY t.experiment DESC, t.ordinal, t.id, r.repeat_index)sql";

void count(const Query& trial, ExperimentTally& tally)
{
    ++tally.trials;
    tally.devices.insert(trial.text(1));
    if (const auto model = trial.optionalText(2))
        tally.models.insert(*model);
    if (const auto end = trial.optionalInteger(3)) {
        ++tally.reached;
        ++tally.outcomes[kByBadness.at(static_cast<std::size_t>(*end))];
    }
}

} // namespace

std::map<std::int64_t, ExperimentTally> Workspace::tallies()
{
    std::map<std::int64_t, ExperimentTally> tallies;
    Query query(*m_file, kSelectEnds);
    while (query.step())
        count(query, tallies[query.integer(0)]);
    return tallies;
}

std::map<std::string, double> Workspace::repeatSeconds()
{
    std::map<std::string, double> seconds;
    Query query(*m_file, kSelectSeconds);
    while (query.step())
        seconds.emplace(query.text(0), query.real(1));
    return seconds;
}

std::map<std::string, std::vector<std::int64_t>> Workspace::tracedRepeats()
{
    std::map<std::string, std::vector<std::int64_t>> repeats;
    Query query(*m_file, kSelectTraced);
    while (query.step())
        repeats[query.text(0)].push_back(query.integer(1));
    return repeats;
}

std::int64_t Workspace::dataVersion()
{
    return m_file->integer("PRAGMA data_version");
}

} // namespace headroom::store
