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

/// Which trial of which workspace.
struct TimelineSubject {
    std::string workspace; ///< the file
    std::int64_t experiment = 0; ///< its number
    std::string trialId;
    std::string title;
    std::size_t revision = 0; ///< of its results: what was read for another one is read again

    bool operator==(const TimelineSubject&) const = default;
};

/// The most that was allocated in each phase, by track.
using PhasePeaks = std::map<std::string, std::vector<Bytes>>;

/// What a view wants to draw.
struct TimelineRequest {
    TimelineSubject subject;
    std::int64_t repeat = 0; ///< store::RepeatRow::id; 0: the first that has a trace
    std::optional<figures::TimeWindow> window; ///< all without; cut to the trace
    std::size_t bins = 2'000; ///< at most, of each counter
    std::shared_ptr<const PhasePeaks> phasePeaks{}; ///< for the table, once a summary has found them
};

struct TracedRepeatName {
    std::int64_t repeat = 0;
    int index = 0;

    bool operator==(const TracedRepeatName&) const = default;
};

/// One lane: what one track did in the window. Everything that can be drawn over time is one of these.
struct LaneWindow {
    std::string track; ///< "device", "host", ...
    figures::MemoryPeak peak; ///< of allocated bytes in the trial's own steps, in the window or not
    bool hasReserved = false;
    std::shared_ptr<const figures::Figure> figure;
    bool isWitness = false; ///< what host, device or driver told beside the allocators; such a lane has no peak
};

/// A stretch of the timelines of one repeat. Immutable once it is handed over.
struct TimelineWindow {
    TimelineRequest request;
    std::string missing; ///< why there is no timeline, in a sentence; empty where there is one
    std::int64_t repeat = 0;
    std::vector<TracedRepeatName> repeats; ///< those with a trace
    bool isPredicted = false;
    figures::TimeWindow whole;
    figures::TimeWindow window; ///< what the figures show
    std::shared_ptr<const std::vector<trace::PhaseSpan>> phases;
    std::vector<LaneWindow> lanes; ///< the device's first
};

using TimelineWindowPtr = std::shared_ptr<const TimelineWindow>;

/// What takes longer to find out: read once for a trace.
struct TimelineSummary {
    std::string trialId;
    std::int64_t repeat = 0;
    std::string track;
    bool isPredicted = false;
    PeakContents peak; ///< of the first track
    std::shared_ptr<const PhasePeaks> phasePeaks;
};

/// What a lane's counters stood at.
struct CursorValues {
    std::string track;
    Bytes allocated = 0;
    Bytes reserved = 0;
    std::optional<trace::CategoryBytes> categories{}; ///< of the allocated bytes, where they are known
    std::string told{}; ///< of a witness: "resident 1.20 GiB, pinned 0.30 GiB"
};

/// What allocated bytes did in a range.
struct RangeValues {
    std::string track;
    Bytes min = 0;
    Bytes max = 0;
    double mean = 0; ///< bytes, over time
};

} // namespace headroom::ui
