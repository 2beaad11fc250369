// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/TraceReader.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace headroom::store {

/// Divides a stored track into stretches as its events are read. Ends early where a stop is requested. `progress` is
/// called with the number of events that were read.
void eachStretch(const TraceReader& reader, std::int64_t repeat, const std::string& track, const std::stop_token& stop,
    const std::function<void(std::uint64_t)>& progress, std::size_t eventsPerStretch,
    const std::function<void(trace::SegmentStretch)>& visit);

/// Replaces the stored states of a track's segments by those that its event blocks tell. Returns what stood in the way
/// (a block that cannot be decoded: the states until then are kept out, too); empty: nothing.
std::string rebuildStretches(SqliteFile& file, std::int64_t repeat, const std::string& track);

} // namespace headroom::store
