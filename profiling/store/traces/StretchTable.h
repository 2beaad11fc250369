// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/Query.h"
#include "profiling/trace/EventBlock.h"
#include "profiling/trace/peaks/SegmentStretches.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom::store {

/// Where the event blocks of a track are, without their events.
struct BlockPlace {
    std::int64_t ordinal = 0;
    std::uint64_t firstEvent = 0;
    std::uint64_t count = 0;
    std::int64_t firstNs = 0;
    std::int64_t lastNs = 0;
};

/// The events of a block that is stored.
struct StoredEvents {
    trace::EventBlockHeader header;
    std::vector<trace::AllocatorEvent> events;
};

/// Reads where the events and the stored states of a track's segments are, and them one by one. On the thread of its
/// file. Throws FileError.
class StretchReader {
public:
    StretchReader(SqliteFile& file, std::int64_t repeat, std::string track)
        : m_file(&file)
        , m_repeat(repeat)
        , m_track(std::move(track))
    {
    }

    /// In order.
    std::vector<BlockPlace> blocks() const;
    StoredEvents events(std::int64_t ordinal) const;
    /// In order, without their states. None in short tracks, in files from before there were any, and where one is
    /// damaged: events tell all of it, too.
    std::vector<trace::SegmentStretch> stretches() const;
    /// Before the first event of the stretch that begins with this event block.
    trace::SegmentState state(std::int64_t ordinal) const;

private:
    [[noreturn]] void failReading(const std::string& problem) const;

    SqliteFile* m_file;
    std::int64_t m_repeat;
    std::string m_track;
};

/// Whether stretches cover all events of the blocks, each from the begin of the block that it names.
bool areCovered(const std::vector<BlockPlace>& blocks, const std::vector<trace::SegmentStretch>& stretches);

/// From seven columns of a row of either table, beginning with this one; without the state. Throws MalformedBlock.
trace::SegmentStretch readStretch(const Query& row, int column);

void insertStretch(
    SqliteFile& file, std::int64_t repeat, const std::string& track, const trace::SegmentStretch& stretch);

} // namespace headroom::store
