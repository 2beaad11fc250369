// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimelineFigure.h"
#include "profiling/store/traces/PeakSearch.h"
#include "profiling/store/workspace/Workspace.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// A repeat that has a trace, without its events. The start of the trace is time 0 of everything that is said of it:
/// a measured repeat is traced after its timed steps only.
struct TracedRepeat {
    std::int64_t repeat = 0; ///< store::RepeatRow::id
    std::int64_t originNs = 0; ///< the start of the trace, as stored
    std::int64_t lengthNs = 0;
    std::vector<store::TrackRow> tracks; ///< their times are as stored
    std::vector<trace::PhaseSpan> phases;
    bool hasOwners = false; ///< whose the memory was is known
    std::vector<std::string> losses; ///< what the trace lacks, in sentences: with any, its peaks are lower bounds

    /// The device's own track where there are several.
    const store::TrackRow& mainTrack() const;
    figures::TimeWindow whole() const { return {0, lengthNs}; }
    /// From the first to the last of the trial's own steps after their warm-up, which is what records tell the peak of;
    /// the whole trace where none is marked.
    figures::TimeWindow ownSteps() const;
};

/// Nothing where the repeat has no trace.
std::optional<TracedRepeat> readTracedRepeat(store::Workspace& workspace, std::int64_t repeat);

/// A counter of a track over a window, in at most `buckets` bins.
figures::MemorySeries readSeries(const store::Workspace& workspace, const TracedRepeat& traced,
    const store::TrackCounter& of, const figures::TimeWindow& window, std::size_t buckets);

/// What allocated memory of a track consisted of over a window, in buckets like the bins of readSeries. Empty where the
/// trace does not know whose the memory was.
std::vector<trace::CategoryBucket> readCategories(const store::Workspace& workspace, const TracedRepeat& traced,
    const std::string& track, const figures::TimeWindow& window, std::size_t buckets);

/// The bins of allocated memory that such buckets are.
std::vector<figures::MemoryBin> binsOf(
    const std::vector<trace::CategoryBucket>& buckets, const figures::TimeWindow& window);

/// The same at one moment; nothing where it is not known.
std::optional<trace::CategoryBytes> readCategoriesAt(
    const store::Workspace& workspace, const TracedRepeat& traced, const std::string& track, std::int64_t timeNs);

/// The largest value in a window, exactly.
figures::MemoryPeak readPeak(const store::Workspace& workspace, const TracedRepeat& traced,
    const store::TrackCounter& of, const figures::TimeWindow& window);

/// Whether the counter ever was above zero.
bool isUsed(const figures::MemorySeries& series);

} // namespace headroom::report
