// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/reading/TraceWitnesses.h"
#include "experiments/report/reading/TracedRepeat.h"
#include "profiling/trace/peaks/Fragmentation.h"
#include "profiling/trace/peaks/LiveHoldings.h"
#include "profiling/trace/peaks/PeakProfile.h"
#include "profiling/trace/peaks/PhaseContents.h"
#include "profiling/trace/peaks/TechniqueRegions.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// What the allocator's cache holds without anyone using it.
struct UnusedAnswer {
    trace::Fragmentation atInstant{}; ///< that is looked into
    trace::Fragmentation atReservedPeak{};
    figures::MemoryPeak most{}; ///< of reserved less allocated memory, in the trial's own steps
    std::vector<trace::Bucket> overTime{}; ///< the same over the whole trace
};

/// Which allocator instant is looked into, and on which device driver and device are asked.
struct TraceQuestion {
    std::optional<std::int64_t> timeNs{}; ///< since the start of the trace; nothing: the first peak
    std::uint32_t deviceId = 0; ///< the driver's number of it
};

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
    std::map<std::string, trace::TechniqueRegion> regions; ///< of techniques that the trace has something of, by key
    std::optional<UnusedAnswer> unused; ///< nothing where nothing is reserved
    std::vector<trace::AllocatorEvent> outOfMemory; ///< requests that failed
    std::optional<TraceWitnesses> witnesses; ///< nothing where neither driver nor device was recorded

    bool isAtPeak() const { return timeNs == peak.timeNs && holdings.counters.allocated == peak.bytes; }
};

/// Looks into the main track. Reads its events a few times, block by block. Throws UsageError for an instant outside of
/// the trace, FileError.
TraceAnswer readTraceAnswer(
    const store::Workspace& workspace, const TracedRepeat& traced, const TraceQuestion& question);

/// The peak that was looked into, for comparing it with another one.
trace::PeakProfile profileOf(const TraceAnswer& answer);

} // namespace headroom::report
