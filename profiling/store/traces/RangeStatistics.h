// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/PeakSearch.h"

#include <optional>
#include <stop_token>

namespace headroom::store {

/// A counter's statistics over an interval of time, including its value at the begin.
struct RangeStatistics {
    Bytes min = 0;
    Bytes max = 0;
    double mean = 0; ///< over time

    bool operator==(const RangeStatistics&) const = default;
};

/// The statistics of [fromNs, toNs), from all its events: for a background thread. Nullopt if a stop was requested.
/// Throws FileError.
std::optional<RangeStatistics> rangeStatistics(const TraceReader& reader, const TrackCounter& of, std::int64_t fromNs,
    std::int64_t toNs, const std::stop_token& stop);

} // namespace headroom::store
