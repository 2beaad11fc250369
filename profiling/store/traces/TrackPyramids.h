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

/// The pyramids of one track, of all counters and of the categories, while its events arrive.
class TrackPyramids {
public:
    /// `owners` must outlive it, and know the owner of an event when the event is appended.
    TrackPyramids(const trace::MemoryCounters& before, const trace::OwnerCategories& owners);

    void append(const trace::AllocatorEvent& event);
    /// The counters after the last event, and what they consist of.
    const trace::MemoryCounters& counters() const { return m_counters; }
    const trace::CategoryBytes& categories() const { return m_categories.counters().categories; }
    /// After a gap in the trace: the counters go on from those before this block.
    void resume(const trace::EventBlockHeader& header);

    /// Stores the levels in chunks, once. Short tracks get none: their few blocks are read as fast.
    void write(SqliteFile& file, std::int64_t repeat, const std::string& track);

    /// Up to this many events, blocks alone do.
    static constexpr std::size_t kMaxEventsWithout = 16'384;

private:
    const trace::OwnerCategories& m_owners;
    trace::MemoryCounters m_counters;
    std::array<trace::Pyramid, trace::kCounters.size()> m_pyramids;
    trace::CategoryPyramid m_categories;
    std::int64_t m_lastNs = 0;
    std::size_t m_events = 0;
};

/// Stores an encoded chunk, already decoded or just made, under its place.
void insertPyramidChunk(SqliteFile& file, std::int64_t repeat, const std::string& track, std::string_view counter,
    const trace::PyramidChunk& chunk, std::span<const std::byte> data);
void insertCategoryChunk(SqliteFile& file, std::int64_t repeat, const std::string& track,
    const trace::CategoryChunkPlace& place, std::span<const std::byte> data);

} // namespace headroom::store
