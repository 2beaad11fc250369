// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/PeakSearch.h"

#include <optional>
#include <stop_token>

namespace headroom::store {

/// What a counter did in a stretch of time, the value that it begins with included.
struct RangeStatistics {
    Bytes min = 0;
    Bytes max = 0;
    double mean = 0; ///< over time

    bool operator==(const RangeStatistics&) const = default;
};

/// Of [fromNs, toNs), from all of its events: for a background thread. Nothing where a stop was requested. Throws
/// FileError.
std::optional<RangeStatistics> rangeStatistics(const TraceReader& reader, const TrackCounter& of, std::int64_t fromNs,
    std::int64_t toNs, const std::stop_token& stop);

} // namespace headroom::store
