// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimelineFigure.h"
#include "profiling/trace/PhaseSpan.h"
#include "ui/timeline/PeakParts.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// Identifies a trial in a workspace.
struct TimelineSubject {
    std::string workspace; ///< the file
    std::int64_t experiment = 0; ///< its number
    std::string trialId;
    std::string title;
    std::size_t revision = 0; ///< of its results: data that was read for another one is read again

    bool operator==(const TimelineSubject&) const = default;
};

/// The maximum of allocated bytes in each phase, by track.
using PhasePeaks = std::map<std::string, std::vector<Bytes>>;

/// What a view requests to draw.
struct TimelineRequest {
    TimelineSubject subject;
    std::int64_t repeat = 0; ///< store::RepeatRow::id; 0: the first that has a trace
    std::optional<figures::TimeWindow> window; ///< the whole trace if unset; clipped to the trace
    std::size_t bins = 2'000; ///< maximum per counter
    std::shared_ptr<const PhasePeaks> phasePeaks{}; ///< for the table, when a summary has found them
};

struct TracedRepeatName {
    std::int64_t repeat = 0;
    int index = 0;

    bool operator==(const TracedRepeatName&) const = default;
};

/// One lane: one track in the window. Everything that is drawn over time is one of these.
struct LaneWindow {
    std::string track; ///< "device", "host", ...
    figures::MemoryPeak peak; ///< of allocated bytes in the trial's own steps, inside the window or not
    bool hasReserved = false;
    std::shared_ptr<const figures::Figure> figure;
    bool isWitness = false; ///< from the host, the device or the driver, not an allocator; such a lane has no peak
    std::vector<figures::MemoryBin> allocated{}; ///< what the figure draws of allocated memory
};

/// A window of the timelines of one repeat. Immutable once it is passed on.
struct TimelineWindow {
    TimelineRequest request;
    std::string missing; ///< why there is no timeline, in a sentence; empty if there is one
    std::int64_t repeat = 0;
    std::vector<TracedRepeatName> repeats; ///< those with a trace
    config::Provenance provenance = config::Provenance::Measured;
    figures::TimeWindow whole;
    figures::TimeWindow window; ///< what the figures show
    std::shared_ptr<const std::vector<trace::PhaseSpan>> phases;
    std::vector<LaneWindow> lanes; ///< the device's first
};

using TimelineWindowPtr = std::shared_ptr<const TimelineWindow>;

/// What takes longer to read; read once per trace.
struct TimelineSummary {
    std::string trialId;
    std::int64_t repeat = 0;
    std::string track;
    config::Provenance provenance = config::Provenance::Measured;
    PeakContents peak; ///< of the first track
    std::shared_ptr<const PhasePeaks> phasePeaks;
    std::string environmentJson{}; ///< where the trial ran, as stored; empty: not known
};

/// The values of a lane's counters at the cursor.
struct CursorValues {
    std::string track;
    Bytes allocated = 0;
    Bytes reserved = 0;
    std::optional<trace::CategoryBytes> categories{}; ///< of the allocated bytes, if they are known
    std::string told{}; ///< from a source other than an allocator: "resident 1.20 GiB, pinned 0.30 GiB"
};

/// The allocated bytes over a range.
struct RangeValues {
    std::string track;
    Bytes min = 0;
    Bytes max = 0;
    double mean = 0; ///< in bytes, weighted by time
};

} // namespace headroom::ui
