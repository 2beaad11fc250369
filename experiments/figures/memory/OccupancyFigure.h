// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/memory/TimeAxis.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::figures {

/// How much of the time something was busy from `beginNs` until the next bin's begin, 0 to 1.
struct BusyBin {
    std::int64_t beginNs = 0; ///< since the start of the trace, ascending
    double share = 0;
};

struct OccupancyInput {
    std::string title; ///< "Kernels"
    std::string id; ///< the trial's
    TimeWindow window;
    std::vector<BusyBin> bins;
    double whole = 0; ///< share of the whole trace
    std::vector<std::string> notes;
};

/// How busy something was over time.
Figure occupancyFigure(const OccupancyInput& input);

} // namespace headroom::figures
