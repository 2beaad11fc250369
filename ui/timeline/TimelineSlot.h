// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineLane.h"

#include <optional>
#include <vector>

namespace headroom::ui {

/// One trial of those shown, with its lanes. Before its first window has come there is one lane that says so.
struct TimelineSlot {
    TimelineSubject subject;
    std::int64_t repeat = 0; ///< wanted; 0: the first with a trace
    TimelineWindowPtr window; ///< the last that came; null before
    std::optional<figures::TimeWindow> requested; ///< own time
    std::optional<TimelineSummary> summary;
    std::vector<TimelineLane*> lanes; ///< owned by the stack
    std::int64_t shiftNs = 0; ///< own time less common time
    std::vector<CursorValues> cursor;
    std::vector<RangeValues> range;

    bool hasTrace() const { return window && window->missing.empty(); }
    TimelineRequest request() const;
    figures::TimeWindow own(const figures::TimeWindow& common) const;
    /// The whole trace in common time.
    figures::TimeWindow whole() const;
    /// The innermost phase at a common time; null outside of all.
    const trace::PhaseSpan* phaseAt(std::int64_t timeNs) const;
    /// What should be read so that `visible` (common time) and some of what lies beside it can be drawn; nothing where
    /// that is on its way or here.
    std::optional<figures::TimeWindow> missing(const figures::TimeWindow& visible) const;
};

} // namespace headroom::ui
