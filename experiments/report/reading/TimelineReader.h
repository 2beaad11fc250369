// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/StoredExperiment.h"
#include "experiments/figures/memory/TimelineFigure.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::report {

/// Timelines of trials, and what witnesses beside the allocator told at the same time.
struct TracedFigures {
    std::vector<figures::TimelineInput> timelines;
    std::map<std::string, std::vector<figures::Figure>> witnesses; ///< by trial id; where something was recorded
};

/// A timeline for each trial that has a trace: of its first repeat that has one, the device's track, the whole length.
TracedFigures readTimelines(store::Workspace& workspace, const experiments::StoredExperiment& experiment);

} // namespace headroom::report
