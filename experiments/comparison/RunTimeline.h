// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimelineFigure.h"
#include "profiling/recordings/Recording.h"
#include "profiling/store/workspace/Workspace.h"
#include "profiling/trace/PhaseSpan.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headroom::experiments {

/// Allocated memory from a time on, and the least and the most of it at that very time, at which there may be several
/// events.
struct CurvePoint {
    std::int64_t timeNs = 0; ///< since the start of the run's trace
    Bytes bytes = 0;
    Bytes least = 0;
    Bytes most = 0;
};

/// The allocated memory of a run over time, read piece by piece: a trace of any length takes no more than a piece.
struct RunTimeline {
    std::int64_t lengthNs = 0;
    std::int64_t events = 0; ///< about; says how many pieces are worth their while
    std::vector<trace::PhaseSpan> phases; ///< since the start of the trace
    figures::MemoryPeak peak; ///< of the run's own steps
    /// The points in a window, by time, with one at its begin where something is known of the time before.
    std::function<std::vector<CurvePoint>(const figures::TimeWindow&)> points;
};

/// Of a recording that was read; what was there before its first event lies at time 0.
RunTimeline timelineOf(const recordings::Recording& recording, std::size_t device);

/// The first trace of these repeats; nullopt where none has one. Throws FileError, also when it is read.
std::optional<RunTimeline> timelineInWorkspace(
    const std::shared_ptr<store::Workspace>& workspace, std::span<const std::int64_t> repeats);

} // namespace headroom::experiments
