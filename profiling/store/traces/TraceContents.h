// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/PeakSearch.h"
#include "profiling/trace/peaks/LiveHoldings.h"
#include "profiling/trace/peaks/LiveSegments.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace headroom::store {

// These read events block by block: for a background thread. Nothing where a stop was requested. Throw FileError.

/// What allocated memory consists of, and whose it is, when it first reaches a peak that findPeak has found. What
/// becomes known of the blocks right after it, before the next one comes or goes, counts.
std::optional<trace::Holdings> findHoldings(const TraceReader& reader, const TrackCounter& of, const trace::Peak& peak,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop);

/// The same after all events up to and including `timeNs`.
std::optional<trace::Holdings> findHoldingsAt(const TraceReader& reader, const TrackCounter& of, std::int64_t timeNs,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop);

/// What the allocator's cache holds unused when the counter first reaches a peak that findPeak has found.
std::optional<trace::Fragmentation> findFragmentation(
    const TraceReader& reader, const TrackCounter& of, const trace::Peak& peak, const std::stop_token& stop);

/// The same after all events up to and including `timeNs`.
std::optional<trace::Fragmentation> findFragmentationAt(
    const TraceReader& reader, const TrackCounter& of, std::int64_t timeNs, const std::stop_token& stop);

} // namespace headroom::store
