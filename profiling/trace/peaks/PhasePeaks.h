// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/PhaseSpan.h"
#include "profiling/trace/pyramids/MemoryTimeline.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace headroom::trace {

/// The peaks of one phase. What was held when the phase began counts.
struct PhasePeak {
    Peak allocated;
    Peak reserved;
    Peak active;

    bool operator==(const PhasePeak&) const = default;
};

/// The peaks of each span, in the order of the spans.
std::vector<PhasePeak> phasePeaks(const MemoryTimeline& timeline, std::span<const PhaseSpan> spans);

/// The largest peaks of all spans of the same name (all steps of "forward").
std::map<std::string, PhasePeak> phasePeaksByName(const MemoryTimeline& timeline, std::span<const PhaseSpan> spans);

/// The innermost (shortest) span that covers a time; null outside of all.
const PhaseSpan* phaseAt(std::span<const PhaseSpan> spans, std::int64_t timeNs);

} // namespace headroom::trace
