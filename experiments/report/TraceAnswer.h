// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/TracedRepeat.h"
#include "profiling/trace/LiveHoldings.h"
#include "profiling/trace/PhaseContents.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// What a trace says of one of its allocators. All times are since the start of the trace.
struct TraceAnswer {
    std::string track;
    trace::OwnerTable owners;
    figures::MemoryPeak peak; ///< of allocated memory, in the trial's own steps
    std::optional<trace::PhaseSpan> peakPhase; ///< nothing outside of all
    std::optional<figures::MemoryPeak> reservedPeak; ///< the same of reserved memory; nothing where nothing is reserved
    std::optional<trace::PhaseSpan> reservedPeakPhase;
    std::int64_t timeNs = 0; ///< the instant that is looked into
    std::optional<trace::PhaseSpan> phase; ///< in which it lies
    trace::Holdings holdings; ///< at that instant
    trace::CategoryBytes categories; ///< the same by category
    std::vector<trace::PhaseContent> phases; ///< of each name the one with the largest peak, by begin

    bool isAtPeak() const { return timeNs == peak.timeNs && holdings.counters.allocated == peak.bytes; }
};

/// Looks into the first peak of the main track, or into the instant `timeNs` of it. Reads its events twice, block by
/// block. Throws UsageError for an instant outside of the trace, FileError.
TraceAnswer readTraceAnswer(
    const store::Workspace& workspace, const TracedRepeat& traced, const std::optional<std::int64_t>& timeNs);

} // namespace headroom::report
