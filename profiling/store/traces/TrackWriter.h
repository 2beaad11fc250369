// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/TrackPyramids.h"
#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/EventBlock.h"
#include "profiling/trace/peaks/SegmentStretches.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::store {

/// A window that is finer than the pyramids decodes whole blocks: smaller ones show it sooner but cost one row each.
inline constexpr std::size_t kDefaultBlockEvents = 8'192;

/// How a track is divided.
struct TrackForm {
    std::size_t eventsPerBlock = kDefaultBlockEvents;
    std::size_t eventsPerStretch = trace::SegmentStretches::kFewestEvents; ///< more than these, in whole blocks
};

/// Writes one track: events in blocks and states of the segments as they arrive, pyramids at the end. On the thread of
/// its file.
class TrackWriter {
public:
    /// `owners` must outlive it, and must know the owner of an event before the event is appended.
    TrackWriter(SqliteFile& file, std::int64_t repeat, std::string track, const trace::MemoryCounters& before,
        const trace::OwnerCategories& owners, const TrackForm& form = {});

    /// Writes a block whenever one is full. Throws FileError.
    void append(std::span<const trace::AllocatorEvent> events);
    /// Writes the pending events as a block, full or not.
    void flush();
    /// Flushes and writes the pyramids and the last state. Must be the last call.
    void finish();

    std::int64_t blocks() const { return m_blocks; }

private:
    SqliteFile& m_file;
    std::int64_t m_repeat;
    std::string m_track;
    TrackForm m_form;
    TrackPyramids m_pyramids;
    trace::SegmentStretches m_stretches;
    std::vector<trace::AllocatorEvent> m_pending;
    trace::MemoryCounters m_beforePending;
    trace::CategoryBytes m_categoriesBeforePending;
    std::int64_t m_blocks = 0;
    std::size_t m_events = 0;
};

/// Stores an encoded block at its position in the track.
void insertEventBlock(SqliteFile& file, std::int64_t repeat, const std::string& track, std::int64_t ordinal,
    const trace::EventBlockHeader& header, std::span<const std::byte> data);

} // namespace headroom::store
