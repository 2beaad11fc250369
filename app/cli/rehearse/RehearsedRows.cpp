// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rehearse/RehearsedRows.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "experiments/plan/fill/EdgeSearch.h"
#include "experiments/run/OrderedPool.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace headroom::cli {

using namespace experiments;

namespace {

bool isEnough(const RehearsedRow& row)
{
    return row.verdict == RehearsalVerdict::Fits || row.verdict == RehearsalVerdict::Tight;
}

EdgeProbe probeOf(const RehearsedRow& row)
{
    if (isEnough(row))
        return {EdgeProbe::Answer::Fits, row.rank.needed};
    return {
        row.verdict == RehearsalVerdict::No ? EdgeProbe::Answer::Fails : EdgeProbe::Answer::Unknown, row.rank.needed};
}

EdgeValues valuesIn(const FilledAxis& axis)
{
    return {[axis](std::int64_t value) {
                return value < axis.low ? std::nullopt : std::optional(std::min(value, axis.high));
            },
        [axis](std::int64_t value) {
            return value >= axis.high ? std::nullopt : std::optional(std::max(value + 1, axis.low));
        }};
}

/// The rows that are still to be begun, by number.
class Numbers : public OrderedPool<std::size_t, int>::Source {
public:
    Numbers(std::size_t count, std::stop_token stop)
        : m_count(count)
        , m_stop(std::move(stop))
    {
    }
    bool hasNext() override { return m_next < m_count && !m_stop.stop_requested(); }
    std::size_t next() override { return m_next++; }

private:
    std::size_t m_count;
    std::stop_token m_stop;
    std::size_t m_next = 0;
};

} // namespace

RehearsedRows::RehearsedRows(const RehearsePlan& plan, std::filesystem::path workspace, std::string commandLine,
    RehearsalEvents& events, std::stop_token stop)
    : m_plan(plan)
    , m_workspace(std::move(workspace))
    , m_commandLine(std::move(commandLine))
    , m_events(events)
    , m_stop(std::move(stop))
{
    if (m_plan.fill)
        return; // which rows there are is found out on the way
    m_planned = m_plan.rows;
    m_archive.emplace(m_workspace, m_planned, m_commandLine);
}

RehearsedRows::Finished RehearsedRows::rehearse(const PlannedRehearsal& planned) const
{
    const std::string label = planned.terms.device.name + " | " + planned.label;
    RehearsalWatcher watcher;
    if (m_events.isOn())
        watcher = [&](const RehearsalMoment& moment) { m_events.moment(label, moment); };
    m_events.started(label);
    Finished finished = experiments::rehearse(planned.terms, m_stop, watcher);
    finished.row.label = label;
    finished.row.values = planned.values;
    return finished;
}

void RehearsedRows::store(std::size_t index, Finished finished, Console& console)
{
    m_archive->add(index, finished.row, finished.run);
    m_events.finished(finished.row);
    console.clearStatus();
    console.line(fmt::format("{}: {}", finished.row.label, verdictSentence(finished.row)));
    m_rows.push_back(std::move(finished.row));
}

void RehearsedRows::run(std::size_t jobs, Console& console)
{
    if (!m_plan.fill)
        return runAll(jobs, console);
    std::vector<Finished> found;
    for (const PlannedRehearsal& row : m_plan.rows)
        if (!m_stop.stop_requested())
            search(row, found, console);
    m_archive.emplace(m_workspace, m_planned, m_commandLine);
    for (std::size_t i = 0; i < found.size(); ++i)
        store(i, std::move(found[i]), console);
}

void RehearsedRows::runAll(std::size_t jobs, Console& console)
{
    Numbers numbers(m_planned.size(), m_stop);
    std::mutex results;
    OrderedPool<std::size_t, int> pool(std::min(jobs, m_planned.size()), numbers, [&] {
        return [&](const std::size_t& index) {
            Finished finished = rehearse(m_planned[index]);
            const std::scoped_lock lock(results);
            if (!m_stop.stop_requested())
                store(index, std::move(finished), console);
            return 0;
        };
    });
    while (pool.next() != nullptr)
        pool.take();
}

// A search keeps what its rows left behind until it is known which rows there are.
void RehearsedRows::search(const PlannedRehearsal& unfilled, std::vector<Finished>& found, Console& console)
{
    const FilledAxis& axis = *m_plan.fill;
    std::map<std::int64_t, std::size_t> places;
    const auto ask = [&](std::int64_t value) {
        if (m_stop.stop_requested())
            return EdgeProbe{};
        console.status(fmt::format("{} {}", axis.name, value));
        m_planned.push_back(withValue(unfilled, axis.name, std::to_string(value)));
        found.push_back(rehearse(m_planned.back()));
        places[value] = found.size() - 1;
        return probeOf(found.back().row);
    };
    const Edge edge =
        EdgeSearch(valuesIn(axis), ask, {unfilled.terms.device.memory->usableBytes.value, false}).run(axis.low);
    if (edge.value && (!m_found || *edge.value > m_largest)) {
        m_found = places.at(*edge.value);
        m_largest = *edge.value;
    }
}

bool RehearsedRows::asksForCard() const
{
    std::set<std::string> cards;
    for (const PlannedRehearsal& row : m_planned)
        cards.insert(row.terms.device.name);
    return cards.size() > 1 && cards.size() == m_planned.size();
}

std::optional<std::size_t> RehearsedRows::answer() const
{
    if (m_plan.fill)
        return m_found;
    std::optional<std::size_t> smallest;
    if (asksForCard())
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (isEnough(m_rows[i]) && (!smallest || m_rows[i].rank.usable < m_rows[*smallest].rank.usable))
                smallest = i;
    return smallest;
}

RunSummary RehearsedRows::end()
{
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begun).count();
    return m_archive->end(m_plan.budgets, seconds, m_stop.stop_requested());
}

} // namespace headroom::cli
