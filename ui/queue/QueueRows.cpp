// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueRows.h"

#include <algorithm>
#include <utility>

namespace headroom::ui {

int QueueRows::rowOf(int run) const
{
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [run](const Entry& entry) { return entry.run->id() == run; });
    return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

void QueueRows::number(Entry& entry)
{
    entry.rows.assign(entry.run->request().trials.size(), -1);
    for (std::size_t row = 0; row < entry.trials.size(); ++row)
        entry.rows[entry.trials[row]] = static_cast<int>(row);
}

void QueueRows::add(std::shared_ptr<const QueuedRun> run)
{
    std::vector<std::size_t> trials = run->order();
    m_entries.push_back({std::move(run), std::move(trials), {}});
    number(m_entries.back());
}

void QueueRows::remove(int row)
{
    m_entries.erase(m_entries.begin() + row);
}

void QueueRows::reorder(const std::vector<RunQueue::Run>& runs)
{
    std::vector<Entry> entries;
    for (const RunQueue::Run& run : runs)
        entries.push_back(at(rowOf(run->id())));
    m_entries = std::move(entries);
}

std::vector<std::size_t> QueueRows::reorderTrials(int row)
{
    Entry& entry = m_entries.at(static_cast<std::size_t>(row));
    std::vector<std::size_t> before = std::exchange(entry.trials, entry.run->order());
    number(entry);
    return before;
}

void QueueRows::removeTrial(int row, int trialRow)
{
    Entry& entry = m_entries.at(static_cast<std::size_t>(row));
    entry.trials.erase(entry.trials.begin() + trialRow);
    number(entry);
}

} // namespace headroom::ui
