// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/figures/memory/PeakTree.h"
#include "experiments/figures/memory/TimelineFigure.h"
#include "profiling/trace/peaks/LiveBlocks.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// Whose the memory at a peak was, seen in every order. Immutable once it is handed over.
struct PeakTrees {
    std::map<trace::Grouping, figures::PeakTreeRow> by; ///< one for each of trace::Grouping
    trace::CategoryBytes categories;
};

using PeakTreesPtr = std::shared_ptr<const PeakTrees>;

/// A piece of what memory consists of at a peak.
struct PeakPart {
    std::string name;
    std::string explanation; ///< one sentence
    Bytes bytes = 0;

    bool operator==(const PeakPart&) const = default;
};

/// When a peak is, and what it consists of.
struct PeakContents {
    figures::MemoryPeak peak; ///< of allocated bytes
    std::optional<trace::PhaseSpan> phase;
    Bytes reserved = 0; ///< at that moment; 0 where nothing is reserved apart
    std::vector<PeakPart> parts; ///< sum to the peak
    std::optional<Bytes> savedForBackward; ///< when the forward ended, as the record has it
    PeakTreesPtr trees{}; ///< whose it was; null where the trace does not know

    Bytes reservedNotAllocated() const { return reserved > peak.bytes ? reserved - peak.bytes : 0; }
    Bytes total() const { return peak.bytes + reservedNotAllocated(); }
};

/// Names what the trace found to be alive, with what the record of the repeat knows of the load and of the harness.
std::vector<PeakPart> peakParts(const trace::LiveMemory& memory, const std::optional<trace::PhaseSpan>& phase,
    const protocol::RepeatMemory& record);

} // namespace headroom::ui
