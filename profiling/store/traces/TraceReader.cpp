// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/TraceReader.h"

#include "profiling/store/Query.h"
#include "profiling/store/traces/CategoryReader.h"
#include "profiling/store/traces/RecordReader.h"
#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/pyramids/PyramidChunk.h"

#include <fmt/format.h>

#include <limits>

namespace headroom::store {
namespace {

constexpr int kNoLevel = -1;

constexpr auto kTracks = "SELECT track, count(*), sum(count), min(first_ns), max(last_ns) FROM event_blocks "
                         "WHERE repeat = ? GROUP BY track ORDER BY track";
constexpr auto kTraceBlocksInWindow =
    "SELECT data FROM event_blocks "
    "WHERE repeat = ? AND track = ? AND last_ns >= ? AND first_ns < ? ORDER BY ordinal";
constexpr auto kTraceBlockAfter = "SELECT data FROM event_blocks WHERE repeat = ? AND track = ? AND first_ns >= ? "
                                  "ORDER BY ordinal LIMIT 1";
constexpr auto kTraceLastBlock =
    "SELECT data FROM event_blocks WHERE repeat = ? AND track = ? ORDER BY ordinal DESC LIMIT 1";
constexpr auto kTraceLevel =
    "SELECT max(level) FROM pyramids WHERE repeat = ? AND track = ? AND counter = ? AND level <= ?";
// From the chunk in which the window begins, or from the very first.
constexpr auto kTraceChunksInWindow = "SELECT data FROM pyramids WHERE repeat = ?1 AND track = ?2 AND counter = ?3 "
                                      "AND level = ?4 AND first_ns < ?6 AND first_ns >= coalesce((SELECT max(first_ns) "
                                      "FROM pyramids WHERE repeat = ?1 AND track = ?2 AND counter = ?3 AND level = ?4 "
                                      "AND first_ns <= ?5), ?5) ORDER BY first_ns";
constexpr auto kTraceFirstChunk =
    "SELECT data FROM pyramids WHERE repeat = ? AND track = ? AND counter = ? AND level = ? "
    "ORDER BY first_ns LIMIT 1";

trace::PyramidChunk pyramidChunkOfLevel(std::span<const std::byte> data, int level)
{
    trace::PyramidChunk chunk = trace::decodePyramidChunk(data);
    if (chunk.level.shift != level)
        throw trace::MalformedBlock("a pyramid chunk lies in the wrong level");
    return chunk;
}

std::vector<trace::CategoryBucket> ofUnknown(const std::vector<trace::Bucket>& timeline)
{
    std::vector<trace::CategoryBucket> buckets;
    for (const trace::Bucket& bucket : timeline)
        buckets.push_back({bucket, trace::CategoryCounters::ofUnknown(bucket.max).categories});
    return buckets;
}

} // namespace

std::vector<TrackRow> TraceReader::tracks(std::int64_t repeat) const
{
    std::vector<TrackRow> tracks;
    Query query(m_file, kTracks, repeat);
    while (query.step())
        tracks.push_back({query.text(0), query.integer(1), query.integer(2), query.integer(3), query.integer(4)});
    return tracks;
}

std::vector<trace::Bucket> TraceReader::timeline(std::int64_t repeat, const std::string& track, trace::Counter counter,
    std::int64_t fromNs, std::int64_t toNs, std::size_t width) const
{
    const Source source{repeat, track, counter};
    const trace::BinRange range = trace::BinRange::covering(fromNs, toNs, width);
    try {
        const int level = levelFor(source, range.shift);
        return level == kNoLevel ? fromBlocks(source, range) : fromPyramid(source, level, range);
    } catch (const trace::MalformedBlock& error) {
        failDecoding(repeat, track, error);
    }
}

trace::OwnerTable TraceReader::owners(std::int64_t repeat) const
{
    return trace::OwnerTable(RecordReader(m_file, repeat).owners());
}

std::vector<trace::CategoryBucket> TraceReader::categories(
    std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs, std::size_t width) const
{
    const CategoryReader reader(m_file, repeat, track);
    if (reader.isWithoutOwners())
        return ofUnknown(timeline(repeat, track, trace::Counter::Allocated, fromNs, toNs, width));
    try {
        return reader.read(trace::BinRange::covering(fromNs, toNs, width));
    } catch (const trace::MalformedBlock& error) {
        failDecoding(repeat, track, error);
    }
}

trace::DeviceRecords TraceReader::records(std::int64_t repeat, std::int64_t fromNs, std::int64_t toNs) const
{
    return RecordReader(m_file, repeat).records(fromNs, toNs);
}

trace::DeviceRecords TraceReader::memoryRecords(std::int64_t repeat, std::int64_t fromNs, std::int64_t toNs) const
{
    return RecordReader(m_file, repeat).memoryRecords(fromNs, toNs);
}

std::vector<trace::Span> TraceReader::spans(
    std::int64_t repeat, Work work, std::int64_t fromNs, std::int64_t toNs) const
{
    return RecordReader(m_file, repeat).spans(work, fromNs, toNs);
}

std::optional<trace::Occupancy> TraceReader::occupancy(std::int64_t repeat, Work work) const
{
    return readOccupancy(m_file, repeat, work);
}

int TraceReader::levelFor(const Source& source, int shift) const
{
    Query query(m_file, kTraceLevel, source.repeat, source.track, trace::counterName(source.counter), shift);
    query.step();
    return static_cast<int>(query.optionalInteger(0).value_or(kNoLevel));
}

std::vector<trace::Bucket> TraceReader::fromPyramid(const Source& source, int level, const trace::BinRange& range) const
{
    const auto counter = trace::counterName(source.counter);
    Query query(
        m_file, kTraceChunksInWindow, source.repeat, source.track, counter, level, range.beginNs(), range.endNs());
    if (!query.step()) {
        Query first(m_file, kTraceFirstChunk, source.repeat, source.track, counter, level);
        first.step();
        return trace::BucketFold(range, pyramidChunkOfLevel(first.bytes(0), level).before).take();
    }
    trace::PyramidChunk chunk = pyramidChunkOfLevel(query.bytes(0), level);
    trace::BucketFold fold(range, chunk.before);
    trace::foldNodes(fold, chunk.level, range);
    while (query.step())
        trace::foldNodes(fold, pyramidChunkOfLevel(query.bytes(0), level).level, range);
    return fold.take();
}

std::vector<trace::Bucket> TraceReader::fromBlocks(const Source& source, const trace::BinRange& range) const
{
    Query query(m_file, kTraceBlocksInWindow, source.repeat, source.track, range.beginNs(), range.endNs());
    if (!query.step())
        return trace::BucketFold(range, countersBeside(source, range.endNs()).of(source.counter)).take();
    trace::BucketFold fold(range, 0);
    do {
        // Each block contains the counters before it, so a lost earlier block does no harm here.
        const auto events = trace::decodeEventBlock(query.bytes(0));
        trace::MemoryCounters counters = trace::readEventBlockHeader(query.bytes(0)).before;
        fold.carry(counters.of(source.counter));
        for (const trace::AllocatorEvent& event : events) {
            counters.apply(event);
            fold.addPoint(event.timeNs, counters.of(source.counter));
        }
    } while (query.step());
    return fold.take();
}

// The counters in a window that no block overlaps.
trace::MemoryCounters TraceReader::countersBeside(const Source& source, std::int64_t endNs) const
{
    Query after(m_file, kTraceBlockAfter, source.repeat, source.track, endNs);
    if (after.step())
        return trace::verifyEventBlock(after.bytes(0)).before;
    Query last(m_file, kTraceLastBlock, source.repeat, source.track);
    if (!last.step())
        return {};
    trace::MemoryCounters counters = trace::verifyEventBlock(last.bytes(0)).before;
    for (const trace::AllocatorEvent& event : trace::decodeEventBlock(last.bytes(0)))
        counters.apply(event);
    return counters;
}

std::vector<trace::AllocatorEvent> TraceReader::events(
    std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs) const
{
    std::vector<trace::AllocatorEvent> events;
    try {
        Query query(m_file, kTraceBlocksInWindow, repeat, track, fromNs, toNs);
        while (query.step()) {
            for (const trace::AllocatorEvent& event : trace::decodeEventBlock(query.bytes(0))) {
                if (event.timeNs >= fromNs && event.timeNs < toNs)
                    events.push_back(event);
            }
        }
    } catch (const trace::MalformedBlock& error) {
        failDecoding(repeat, track, error);
    }
    return events;
}

void TraceReader::eachBlock(std::int64_t repeat, const std::string& track, const BlockVisitor& visit) const
{
    using Time = std::numeric_limits<std::int64_t>;
    eachBlock(repeat, track, Time::min(), Time::max(), {}, visit);
}

void TraceReader::eachBlock(std::int64_t repeat, const std::string& track, std::int64_t fromNs, std::int64_t toNs,
    const std::stop_token& stop, const BlockVisitor& visit) const
{
    Query query(m_file, kTraceBlocksInWindow, repeat, track, fromNs, toNs);
    while (!stop.stop_requested() && query.step()) {
        trace::EventBlockHeader header;
        std::vector<trace::AllocatorEvent> events;
        try {
            header = trace::verifyEventBlock(query.bytes(0));
            events = trace::decodeEventBlock(query.bytes(0));
        } catch (const trace::MalformedBlock& error) {
            failDecoding(repeat, track, error);
        }
        visit(header, events);
    }
}

StretchReader TraceReader::stretches(std::int64_t repeat, const std::string& track) const
{
    return {m_file, repeat, track};
}

void TraceReader::failDecoding(std::int64_t repeat, const std::string& track, const Error& error) const
{
    throw FileError(
        fmt::format("the trace '{}' of repeat {} is damaged: {}", track, repeat, error.what()), m_file.path().string());
}

} // namespace headroom::store
