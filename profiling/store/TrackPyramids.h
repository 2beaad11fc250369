// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/PyramidChunk.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace headroom::store {

/// The pyramids of all counters of one track, while its events arrive.
class TrackPyramids {
public:
    explicit TrackPyramids(const trace::MemoryCounters& before);

    void append(const trace::AllocatorEvent& event);
    /// The counters after the last event.
    const trace::MemoryCounters& counters() const { return m_counters; }
    /// After a gap in the trace: the counters go on from here.
    void resume(const trace::MemoryCounters& counters) { m_counters = counters; }

    /// Stores the levels in chunks. Short tracks get none: their few blocks are read as fast.
    void write(SqliteFile& file, std::int64_t repeat, const std::string& track) const;

    /// Up to this many events, blocks alone do.
    static constexpr std::size_t kMaxEventsWithout = 16'384;

private:
    trace::MemoryCounters m_counters;
    std::array<trace::Pyramid, trace::kCounters.size()> m_pyramids;
};

/// Stores an encoded chunk, already decoded or just made, under its place.
void insertPyramidChunk(SqliteFile& file, std::int64_t repeat, const std::string& track, std::string_view counter,
    const trace::PyramidChunk& chunk, std::span<const std::byte> data);

} // namespace headroom::store
