// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/TraceReader.h"
#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/Peak.h"
#include "profiling/trace/PhaseSpan.h"
#include "profiling/trace/peaks/LiveBlocks.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::store {

/// A counter of a stored track.
struct TrackCounter {
    std::int64_t repeat = 0;
    std::string track;
    trace::Counter counter = trace::Counter::Allocated;
};

/// The maximum in [fromNs, toNs), including the value at its begin, and when it was first reached. Exact, without
/// reading all events: reads a few timelines, each finer than the one before. Throws FileError.
trace::Peak findPeak(const TraceReader& reader, const TrackCounter& of, std::int64_t fromNs, std::int64_t toNs);

/// The contents of allocated memory when it first reaches a peak that findPeak has found. Reads the events up to it,
/// block by block: for a background thread. Nullopt if a stop was requested. Throws FileError.
std::optional<trace::LiveMemory> findLiveMemory(const TraceReader& reader, const TrackCounter& of,
    const trace::Peak& peak, std::span<const trace::PhaseSpan> phases, const std::stop_token& stop);

/// The maximum in each span, including the value at its begin, in the order of the spans. Reads all events once, block
/// by block: for a background thread. Nullopt if a stop was requested. Throws FileError.
std::optional<std::vector<Bytes>> findPhasePeaks(const TraceReader& reader, const TrackCounter& of,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop);

} // namespace headroom::store
