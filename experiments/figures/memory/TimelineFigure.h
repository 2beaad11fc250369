// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/TrialTerms.h"
#include "experiments/figures/memory/TimeAxis.h"
#include "profiling/trace/CategoryBytes.h"
#include "profiling/trace/PhaseSpan.h"

#include <cstddef>
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

/// A value and when it was first reached.
struct MemoryPeak {
    Bytes bytes = 0;
    std::int64_t timeNs = 0; ///< since the start of the trace

    bool operator==(const MemoryPeak&) const = default;
};

struct MemorySeries {
    std::string name; ///< "allocated", "reserved"
    std::vector<MemoryBin> bins{}; ///< of the window
    /// Where known: of the trial's own steps, whether or not it lies in the window. Else that of the bins is shown.
    std::optional<MemoryPeak> peak{};
    std::optional<MemoryPeak> largest{}; ///< of the whole trace, what came before the trial's own steps included
};

struct TimelineInput {
    std::string title;
    std::string id; ///< the trial's
    Provenance provenance = Provenance::Measured; ///< predicted: simulated memory and time
    std::vector<MemorySeries> series; ///< the first one's peak is marked
    /// What the first series consists of, as fine as its bins; times since the start of the trace. Empty where nobody
    /// knows whose the memory was.
    std::vector<trace::CategoryBucket> categories;
    std::optional<trace::CategoryBytes> peakCategories; ///< of its peak
    std::vector<std::string> losses; ///< what the trace lacks, in sentences: with any, a peak is a lower bound
    std::vector<trace::PhaseSpan> phases; ///< may nest
    std::vector<Bytes> phasePeaks; ///< of the first series in each phase; where empty, the bins tell
    std::int64_t endNs = 0; ///< where the trace ends
    std::optional<TimeWindow> window; ///< what of the trace is shown; all of it without
    std::optional<Budget> budget;
    std::vector<std::string> notes; ///< what a reader has to know of the values
    /// Of a series, where the whole trace is shown: about two for each pixel of a column. Finer ones are folded.
    std::size_t mostBins = 1'000;
};

/// Memory over time. Series of more bins than can be seen are folded; minima and maxima stay exact. Of a window, the
/// memory axis stays that of the whole trace and the table has the phases that reach into it.
Figure timelineFigure(const TimelineInput& input);

/// What the figure's time axis shows, and how it counts.
TimeWindow shownWindow(const TimelineInput& input);

/// At most `most` bins of equal width over [first bin, endNs), each with the least and the most of those it covers
/// (one that reaches into several counts in each). Fewer than that come back as they are.
std::vector<MemoryBin> folded(const std::vector<MemoryBin>& bins, std::int64_t endNs, std::size_t most);

} // namespace headroom::figures
