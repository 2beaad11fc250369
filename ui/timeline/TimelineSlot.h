// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineLane.h"

#include <optional>
#include <vector>

namespace headroom::ui {

/// One of the shown trials, with its lanes. Before its first window has been read, it has one lane that says so.
struct TimelineSlot {
    TimelineSubject subject;
    std::int64_t repeat = 0; ///< requested; 0: the first with a trace
    TimelineWindowPtr window; ///< the last one that was read; null before that
    std::optional<figures::TimeWindow> requested; ///< in the trial's own time
    std::optional<TimelineSummary> summary;
    std::vector<TimelineLane*> lanes; ///< owned by the stack
    std::int64_t shiftNs = 0; ///< own time minus common time
    std::vector<CursorValues> cursor;
    std::vector<RangeValues> range;

    bool hasTrace() const { return window && window->missing.empty(); }
    TimelineRequest request() const;
    figures::TimeWindow own(const figures::TimeWindow& common) const;
    /// The whole trace in common time.
    figures::TimeWindow whole() const;
    /// The innermost phase at a common time; null outside of all phases.
    const trace::PhaseSpan* phaseAt(std::int64_t timeNs) const;
    /// The range to read so that `visible` (in common time) and its surroundings can be drawn; nullopt if it has been
    /// read or requested.
    std::optional<figures::TimeWindow> missing(const figures::TimeWindow& visible) const;
};

} // namespace headroom::ui
