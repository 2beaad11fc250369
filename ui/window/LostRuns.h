// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/results/WorkspaceService.h"

#include <cstdint>

namespace headroom::ui {

/// What runs have finished that no workspace has: in memory until it is saved.
class LostRuns {
public:
    /// Kept unless there is nothing in it that is not kept already; takes the place of those that it has all of, as a
    /// run that went on from them has.
    void add(const std::shared_ptr<const experiments::UnsavedRun>& run);
    /// They have been saved.
    void remove(const UnsavedRuns& saved);

    const UnsavedRuns& all() const { return m_runs; }
    bool isEmpty() const { return m_runs.empty(); }
    std::int64_t repeats() const; ///< finished ones

private:
    UnsavedRuns m_runs;
};

} // namespace headroom::ui
