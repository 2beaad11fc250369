// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/comparison/RunTimeline.h"
#include "experiments/figures/memory/SharedTime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What two runs had allocated at the same place of their common axis.
struct DifferenceMoment {
    Bytes aBytes = 0;
    Bytes bBytes = 0;
    std::int64_t aNs = 0; ///< in each run's own time
    std::int64_t bNs = 0;

    Bytes difference() const { return bBytes - aBytes; }
};

/// A part of the axis in which both runs have a trace: the whole of it, all phases of a name, or a stretch.
struct DifferencePart {
    std::string name;
    std::int64_t lengthNs = 0;
    double byteNs = 0; ///< the difference, summed up over time
    std::optional<DifferenceMoment> most; ///< where b has the most more than a; nothing in a part without a length
    std::optional<DifferenceMoment> least;

    Bytes average() const;
};

/// A narrow piece of the axis: the least and the most of each run in it, where it has a trace there, and of the
/// difference where both have.
struct DifferenceStretch {
    figures::TimeWindow window; ///< common time, which is a's
    std::optional<figures::MemoryBin> a;
    std::optional<figures::MemoryBin> b;
    std::optional<figures::MemoryBin> difference;
};

/// How much more a second run has allocated than a first one, all along.
struct DifferenceOverTime {
    figures::Alignment alignment = figures::Alignment::Start;
    figures::TimeWindow shared; ///< where both have a trace
    std::int64_t endA = 0; ///< of a's trace
    std::int64_t endB = 0; ///< in common time
    DifferencePart whole;
    std::int64_t aboveNs = 0; ///< of the whole: b has more
    std::int64_t belowNs = 0;
    std::vector<DifferencePart>
        parts; ///< by phase of a, in order of their first; where phases cover less than half, eight of equal length
    std::vector<DifferenceStretch> stretches; ///< of equal length, over all that either has
    std::vector<trace::PhaseSpan> phases; ///< a's
    figures::MemoryPeak peakA;
    figures::MemoryPeak peakB; ///< in common time
    std::string peakPhaseA{}; ///< each in its own run's phases
    std::string peakPhaseB{};
};

/// Whether two runs can be laid over each other in this way.
bool canAlign(const RunTimeline& a, const RunTimeline& b, figures::Alignment alignment);

/// By phase, else by step, else from the beginning.
figures::Alignment bestAlignment(const RunTimeline& a, const RunTimeline& b);

/// Reads both traces piece by piece. What changes at the same time in both counts as one change. The alignment must be
/// possible, and not Alignment::Phase. Throws FileError.
DifferenceOverTime differenceOverTime(
    const RunTimeline& a, const RunTimeline& b, figures::Alignment alignment, std::size_t stretches);

} // namespace headroom::experiments
