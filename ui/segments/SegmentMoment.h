// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryBytes.h"
#include "profiling/trace/MemoryOwner.h"
#include "profiling/trace/PhaseSpan.h"
#include "profiling/trace/peaks/SegmentState.h"
#include "ui/timeline/TimelineWindow.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// Whose segments are shown.
struct SegmentSubject {
    TimelineSubject trial;
    std::int64_t repeat = 0; ///< store::RepeatRow::id; 0: the first that has a trace

    bool operator==(const SegmentSubject&) const = default;
};

/// What does not change from moment to moment. Times are as stored; `originNs` is the start of the trace.
struct SegmentTrace {
    SegmentSubject subject;
    std::string missing; ///< why there is nothing to show, in a sentence; empty if there is something
    std::int64_t originNs = 0;
    std::uint64_t events = 0;
    std::uint64_t eventsAtReservedPeak = 0;
    std::vector<std::uint64_t> failures; ///< numbers of events after which a request failed
    trace::OwnerTable owners;
    std::vector<trace::PhaseSpan> phases; ///< from the start of the trace
};

using SegmentTracePtr = std::shared_ptr<const SegmentTrace>;

/// What the segments of a trace hold after a number of events. Immutable once it is passed on.
struct SegmentMoment {
    SegmentTracePtr trace;
    trace::SegmentState state;
    std::vector<trace::SegmentUse> uses; ///< of each segment
    trace::SegmentSums sums;
    trace::CategoryBytes categories; ///< of allocated blocks within the segments
    std::optional<trace::AllocatorEvent> event; ///< the last one; nothing before the first

    /// Since the start of the trace.
    std::int64_t timeNs() const { return state.timeNs - trace->originNs; }
};

using SegmentMomentPtr = std::shared_ptr<const SegmentMoment>;

} // namespace headroom::ui
