// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/RunQueue.h"

#include <memory>
#include <vector>

namespace headroom::ui {

/// The rows of the queue as views currently know them: they follow the queue signal by signal.
class QueueRows {
public:
    struct Entry {
        std::shared_ptr<const QueuedRun> run;
        std::vector<std::size_t> trials; ///< in row order
        std::vector<int> rows; ///< the row of each trial of the request; -1 if it was removed
    };

    int count() const { return static_cast<int>(m_entries.size()); }
    const Entry& at(int row) const { return m_entries.at(static_cast<std::size_t>(row)); }
    /// -1 if there is no such run.
    int rowOf(int run) const;

    void add(std::shared_ptr<const QueuedRun> run);
    void remove(int row);
    /// Adopts the order of the runs.
    void reorder(const std::vector<RunQueue::Run>& runs);
    /// Adopts the order of the run's trials; returns the previous one.
    std::vector<std::size_t> reorderTrials(int row);
    void removeTrial(int row, int trialRow);

private:
    static void number(Entry& entry);

    std::vector<Entry> m_entries;
};

} // namespace headroom::ui
