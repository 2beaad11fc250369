// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/PeakSearch.h"
#include "profiling/trace/peaks/Fragmentation.h"
#include "profiling/trace/peaks/LiveHoldings.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace headroom::store {

// These read events block by block: for a background thread. Nullopt if a stop was requested. They throw FileError.

/// The contents and owners of allocated memory when it first reaches a peak that findPeak has found. Owners that become
/// known right after it, before the next allocation or free, count.
std::optional<trace::Holdings> findHoldings(const TraceReader& reader, const TrackCounter& of, const trace::Peak& peak,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop);

/// The same after all events up to and including `timeNs`.
std::optional<trace::Holdings> findHoldingsAt(const TraceReader& reader, const TrackCounter& of, std::int64_t timeNs,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop);

/// The unused part of the allocator's cache when the counter first reaches a peak that findPeak has found.
std::optional<trace::Fragmentation> findFragmentation(
    const TraceReader& reader, const TrackCounter& of, const trace::Peak& peak, const std::stop_token& stop);

/// The same after all events up to and including `timeNs`.
std::optional<trace::Fragmentation> findFragmentationAt(
    const TraceReader& reader, const TrackCounter& of, std::int64_t timeNs, const std::stop_token& stop);

} // namespace headroom::store
