// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/RunQueue.h"

#include <memory>
#include <vector>

namespace headroom::ui {

/// The rows of the queue as views know them at the moment: they follow the queue signal by signal.
class QueueRows {
public:
    struct Entry {
        std::shared_ptr<const QueuedRun> run;
        std::vector<std::size_t> trials; ///< in their rows
        std::vector<int> rows; ///< of each trial of the request; -1: removed
    };

    int count() const { return static_cast<int>(m_entries.size()); }
    const Entry& at(int row) const { return m_entries.at(static_cast<std::size_t>(row)); }
    /// -1 where there is no such run.
    int rowOf(int run) const;

    void add(std::shared_ptr<const QueuedRun> run);
    void remove(int row);
    /// Takes over the order of the runs.
    void reorder(const std::vector<RunQueue::Run>& runs);
    /// Takes over the order of its trials; returns the one before.
    std::vector<std::size_t> reorderTrials(int row);
    void removeTrial(int row, int trialRow);

private:
    static void number(Entry& entry);

    std::vector<Entry> m_entries;
};

} // namespace headroom::ui
