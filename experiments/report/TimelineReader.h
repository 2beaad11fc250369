// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/StoredExperiment.h"
#include "experiments/figures/TimelineFigure.h"

#include <vector>

namespace headroom::report {

/// A timeline for each trial that has a trace: of its first repeat that has one, the device's track, the whole length.
std::vector<figures::TimelineInput> readTimelines(
    store::Workspace& workspace, const experiments::StoredExperiment& experiment);

} // namespace headroom::report
