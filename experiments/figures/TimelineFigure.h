// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/TrialTerms.h"
#include "profiling/trace/PhaseSpan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

/// The least and the most of a counter from `beginNs` until the next bin's begin. A single value has min = max.
struct MemoryBin {
    std::int64_t beginNs = 0; ///< since the start of the trace, ascending
    Bytes min = 0;
    Bytes max = 0;
};

struct MemorySeries {
    std::string name; ///< "allocated", "reserved"
    std::vector<MemoryBin> bins;
};

struct TimelineInput {
    std::string title;
    std::string id; ///< the trial's
    Provenance provenance = Provenance::Measured; ///< predicted: simulated memory and time
    std::vector<MemorySeries> series; ///< the first one's peak is marked
    std::vector<trace::PhaseSpan> phases; ///< may nest
    std::int64_t endNs = 0; ///< where the last bins end
    std::optional<Budget> budget;
};

/// Memory over time. Series of more bins than can be seen are folded; minima and maxima stay exact.
Figure timelineFigure(const TimelineInput& input);

} // namespace headroom::figures
