// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/figures/memory/PeakTree.h"
#include "experiments/figures/memory/TimelineFigure.h"
#include "profiling/trace/peaks/LiveBlocks.h"
#include "profiling/trace/peaks/PeakProfile.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// The owners of the memory at a peak, in every grouping. Immutable once it is passed on.
struct PeakTrees {
    std::map<trace::Grouping, figures::PeakTreeRow> by; ///< one tree per trace::Grouping
    trace::CategoryBytes categories;
    trace::PeakProfile profile; ///< for comparisons
    std::map<std::string, Bytes>
        frames; ///< by the innermost frame that is the program's own; empty: without call stacks
};

using PeakTreesPtr = std::shared_ptr<const PeakTrees>;

/// One part of the memory at a peak.
struct PeakPart {
    std::string name;
    std::string explanation; ///< one sentence
    Bytes bytes = 0;

    bool operator==(const PeakPart&) const = default;
};

/// The time and the contents of a peak.
struct PeakContents {
    figures::MemoryPeak peak; ///< of allocated bytes
    std::optional<trace::PhaseSpan> phase;
    Bytes reserved = 0; ///< at that time; 0 if reserved memory is not tracked separately
    std::vector<PeakPart> parts; ///< sum to the peak
    std::optional<Bytes> savedForBackward; ///< when the forward pass ended, from the record
    PeakTreesPtr trees{}; ///< the owners; null if the trace does not know them

    Bytes reservedNotAllocated() const { return reserved > peak.bytes ? reserved - peak.bytes : 0; }
    Bytes total() const { return peak.bytes + reservedNotAllocated(); }
};

/// Names the live memory that the trace found, using what the repeat's record says about the load and the harness.
std::vector<PeakPart> peakParts(const trace::LiveMemory& memory, const std::optional<trace::PhaseSpan>& phase,
    const protocol::RepeatMemory& record);

} // namespace headroom::ui
