// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/store/traces/Rows.h"
#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/Bins.h"
#include "profiling/trace/CategoryBytes.h"
#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/EventBlock.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::store {

/// Reads event blocks and pyramids, of a workspace or of a spool. On the thread of its file.
/// Throws FileError, naming file, repeat and track, for blocks that cannot be decoded.
class TraceReader {
public:
    using BlockVisitor =
        std::function<void(const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events)>;

    explicit TraceReader(SqliteFile& file)
        : m_file(file)
    {
    }

    std::vector<TrackRow> tracks(std::int64_t repeat) const;

    /// At most `width` buckets (2 at least) that cover [fromNs, toNs), each exact for its own interval. O(width): from
    /// the pyramid, or from the few blocks under the window where it is finer than the pyramid. Before the track and
    /// on a track that does not exist the counter is what it was before the first event, or 0.
    std::vector<trace::Bucket> timeline(std::int64_t repeat, const std::string& track, trace::Counter counter,
        std::int64_t fromNs, std::int64_t toNs, std::size_t width) const;

    /// Whose the blocks of the repeat's trace are; the unknown owner alone where none was recorded.
    trace::OwnerTable owners(std::int64_t repeat) const;

    /// As timeline() of allocated bytes, and what they consisted of at the most of each bucket.
    std::vector<trace::CategoryBucket> categories(
        std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs, std::size_t width) const;

    /// What driver, device and host told with a time in [fromNs, toNs) (of spans: that reach into it), in order of
    /// time.
    trace::DeviceRecords records(std::int64_t repeat, std::int64_t fromNs, std::int64_t toNs) const;

    /// The events with a time in [fromNs, toNs), in the order in which they were recorded.
    std::vector<trace::AllocatorEvent> events(
        std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs) const;

    /// Every block of a track in order, one in memory at a time: for exports of any size.
    void eachBlock(std::int64_t repeat, const std::string& track, const BlockVisitor& visit) const;
    /// The same of the blocks that reach into [fromNs, toNs); ends early where a stop is requested.
    void eachBlock(std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs,
        const std::stop_token& stop, const BlockVisitor& visit) const;

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
