// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/store/traces/RecordIndex.h"
#include "profiling/store/traces/Rows.h"
#include "profiling/store/traces/StretchTable.h"
#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/Bins.h"
#include "profiling/trace/CategoryBytes.h"
#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/EventBlock.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::store {

/// Reads event blocks and pyramids, from a workspace or from a spool. On the thread of its file. Throws FileError,
/// naming file, repeat and track, for blocks that cannot be decoded.
class TraceReader {
public:
    using BlockVisitor =
        std::function<void(const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events)>;

    explicit TraceReader(SqliteFile& file)
        : m_file(file)
    {
    }

    std::vector<TrackRow> tracks(std::int64_t repeat) const;

    /// At most `width` buckets (at least 2) that cover [fromNs, toNs), each exact for its own interval. O(width): from
    /// the pyramid, or from the few blocks in the window if it is finer than the pyramid. Before the begin of the track
    /// the counter has its value before the first event; for a track that does not exist it is 0.
    std::vector<trace::Bucket> timeline(std::int64_t repeat, const std::string& track, trace::Counter counter,
        std::int64_t fromNs, std::int64_t toNs, std::size_t width) const;

    /// The owners of the blocks in the repeat's trace; only the unknown owner if none was recorded.
    trace::OwnerTable owners(std::int64_t repeat) const;

    /// Like timeline() of allocated bytes, with the categories at the maximum of each bucket.
    std::vector<trace::CategoryBucket> categories(
        std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs, std::size_t width) const;

    /// The records of driver, device and host with a time in [fromNs, toNs) (spans: that overlap it), in order of time.
    /// What a window costs depends on the records in it, not on those before.
    trace::DeviceRecords records(std::int64_t repeat, std::int64_t fromNs, std::int64_t toNs) const;
    /// The same without those that are spans (kernels, copies, calls, ranges), of which there may be millions: of each
    /// kind the first one of the whole trace stands for all.
    trace::DeviceRecords memoryRecords(std::int64_t repeat, std::int64_t fromNs, std::int64_t toNs) const;
    /// When kernels, or copies, in [fromNs, toNs) ran: of each table in order of time.
    std::vector<trace::Span> spans(std::int64_t repeat, Work work, std::int64_t fromNs, std::int64_t toNs) const;
    /// How busy kernels, or copies, were over time, however many there are; nothing where there are none, or where it
    /// has to be found from their spans (traces from before version 4 of the workspace).
    std::optional<trace::Occupancy> occupancy(std::int64_t repeat, Work work) const;

    /// The events with a time in [fromNs, toNs), in the order in which they were recorded.
    std::vector<trace::AllocatorEvent> events(
        std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs) const;

    /// Visits every block of a track in order, with one in memory at a time: for exports of any size.
    void eachBlock(std::int64_t repeat, const std::string& track, const BlockVisitor& visit) const;
    /// The same for the blocks that overlap [fromNs, toNs); ends early if a stop is requested.
    void eachBlock(std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs,
        const std::stop_token& stop, const BlockVisitor& visit) const;

    /// Where the track's events and the states of its segments are.
    StretchReader stretches(std::int64_t repeat, const std::string& track) const;

private:
    struct Source {
        std::int64_t repeat;
        const std::string& track;
        trace::Counter counter;
    };

    int levelFor(const Source& source, int shift) const;
    std::vector<trace::Bucket> fromPyramid(const Source& source, int level, const trace::BinRange& range) const;
    std::vector<trace::Bucket> fromBlocks(const Source& source, const trace::BinRange& range) const;
    trace::MemoryCounters countersBeside(const Source& source, std::int64_t endNs) const;
    [[noreturn]] void failDecoding(std::int64_t repeat, const std::string& track, const Error& error) const;

    SqliteFile& m_file;
};

} // namespace headroom::store
