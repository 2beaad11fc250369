// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimelineFigure.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::figures {

/// The memory of one trial over a time that all compared trials share.
struct ComparedMemory {
    std::string id; ///< the trial's
    std::string name;
    Provenance provenance = Provenance::Measured;
    std::vector<MemoryBin> bins; ///< allocated; times are common ones
    MemoryPeak peak; ///< of the trial's own steps, in common time
    std::string peakPhase{}; ///< of its own phases: at that common time another trial may be in another one
    std::optional<std::size_t> series{}; ///< its colour (Look::series); its place among the trials if unset
    std::string letter{}; ///< "B": in legend and labels, as tables beside the figure have it; may be empty
    /// How much more than the first it has, in common time, where that is known better than from the bins of both.
    std::vector<MemoryBin> difference{};
    std::optional<std::int64_t> endNs{}; ///< where its trace ends, in common time: its lines go no further
};

struct ComparisonInput {
    std::string title;
    std::string timeName = "Time"; ///< what the common time is: "Time of baseline"
    std::vector<ComparedMemory> trials; ///< the first is what the others are compared with
    std::vector<trace::PhaseSpan> phases; ///< in common time
    TimeWindow window; ///< what is shown, in common time
};

/// The curves of all trials over each other, with their peaks.
Figure comparisonFigure(const ComparisonInput& input);

/// How much more each other trial holds than the first at the same time, as an area around zero.
Figure differenceFigure(const ComparisonInput& input);

/// The difference of two counters of bins, at each time at which either changes. `min` and `max` of a bin are both the
/// difference of the two maxima. Empty where one of them is.
std::vector<MemoryBin> differenceOf(const std::vector<MemoryBin>& bins, const std::vector<MemoryBin>& first);

} // namespace headroom::figures
