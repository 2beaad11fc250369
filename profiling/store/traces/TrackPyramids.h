// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/trace/EventBlock.h"
#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/pyramids/CategoryPyramid.h"
#include "profiling/trace/pyramids/PyramidChunk.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace headroom::store {

/// Builds the pyramids of one track, of all counters and of the categories, as its events arrive.
class TrackPyramids {
public:
    /// `owners` must outlive it, and must know the owner of an event before the event is appended.
    TrackPyramids(const trace::MemoryCounters& before, const trace::OwnerCategories& owners);

    void append(const trace::AllocatorEvent& event);
    /// The counters after the last event, and their categories.
    const trace::MemoryCounters& counters() const { return m_counters; }
    const trace::CategoryBytes& categories() const { return m_categories.counters().categories; }
    /// After a gap in the trace: the counters continue from those before this block.
    void resume(const trace::EventBlockHeader& header);

    /// Stores the levels in chunks; call once. Short tracks get none: reading their few blocks is as fast.
    void write(SqliteFile& file, std::int64_t repeat, const std::string& track);

    /// Tracks with up to this many events have no pyramids.
    static constexpr std::size_t kMaxEventsWithout = 16'384;

private:
    const trace::OwnerCategories& m_owners;
    trace::MemoryCounters m_counters;
    std::array<trace::Pyramid, trace::kCounters.size()> m_pyramids;
    trace::CategoryPyramid m_categories;
    std::int64_t m_lastNs = 0;
    std::size_t m_events = 0;
};

/// Stores an encoded chunk, which the caller has decoded or just made.
void insertPyramidChunk(SqliteFile& file, std::int64_t repeat, const std::string& track, std::string_view counter,
    const trace::PyramidChunk& chunk, std::span<const std::byte> data);
void insertCategoryChunk(SqliteFile& file, std::int64_t repeat, const std::string& track,
    const trace::CategoryChunkPlace& place, std::span<const std::byte> data);

} // namespace headroom::store
