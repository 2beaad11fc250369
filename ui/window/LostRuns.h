// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/results/WorkspaceService.h"

#include <cstdint>

namespace headroom::ui {

/// Finished results of runs that are in no workspace: kept in memory until they are saved.
class LostRuns {
public:
    /// Keeps the run unless everything in it is already kept. It replaces runs whose results it contains, as a run that
    /// continued them does.
    void add(const std::shared_ptr<const experiments::UnsavedRun>& run);
    /// Removes runs that have been saved.
    void remove(const UnsavedRuns& saved);

    const UnsavedRuns& all() const { return m_runs; }
    bool isEmpty() const { return m_runs.empty(); }
    std::int64_t repeats() const; ///< number of finished repeats

private:
    UnsavedRuns m_runs;
};

} // namespace headroom::ui
