// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/StretchTable.h"

#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/peaks/SegmentStateData.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::store {
namespace {

constexpr auto kBlockPlaces = "SELECT ordinal, count, first_ns, last_ns FROM event_blocks "
                              "WHERE repeat = ? AND track = ? ORDER BY ordinal";
constexpr auto kBlock = "SELECT data FROM event_blocks WHERE repeat = ? AND track = ? AND ordinal = ?";
constexpr auto kHasStretches = "SELECT count(*) FROM sqlite_schema WHERE name = 'segment_stretches'";
constexpr auto kSegmentStretches = "SELECT ordinal, first_event, events, peak_events, peak_reserved_bytes, "
                                   "peak_allocated_bytes, failures FROM segment_stretches "
                                   "WHERE repeat = ? AND track = ? ORDER BY ordinal";
constexpr auto kStretchState = "SELECT data FROM segment_stretches WHERE repeat = ? AND track = ? AND ordinal = ?";
constexpr auto kInsertSegmentStretch = "INSERT INTO segment_stretches (repeat, track, ordinal, first_event, events, "
                                       "peak_events, peak_reserved_bytes, peak_allocated_bytes, failures, data) "
                                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

std::uint64_t countIn(const Query& query, int column)
{
    return static_cast<std::uint64_t>(query.integer(column));
}

} // namespace

std::vector<BlockPlace> StretchReader::blocks() const
{
    std::vector<BlockPlace> blocks;
    std::uint64_t events = 0;
    Query query(*m_file, kBlockPlaces, m_repeat, m_track);
    while (query.step()) {
        blocks.push_back({query.integer(0), events, countIn(query, 1), query.integer(2), query.integer(3)});
        events += blocks.back().count;
    }
    return blocks;
}

std::vector<trace::SegmentStretch> StretchReader::stretches() const
{
    std::vector<trace::SegmentStretch> stretches;
    if (m_file->integer(kHasStretches) == 0)
        return stretches;
    try {
        Query query(*m_file, kSegmentStretches, m_repeat, m_track);
        while (query.step())
            stretches.push_back(readStretch(query, 0));
    } catch (const trace::MalformedBlock&) {
        return {};
    }
    return stretches;
}

StoredEvents StretchReader::events(std::int64_t ordinal) const
{
    Query query(*m_file, kBlock, m_repeat, m_track, ordinal);
    if (!query.step())
        failReading("a block of it is gone");
    try {
        return {trace::readEventBlockHeader(query.bytes(0)), trace::decodeEventBlock(query.bytes(0))};
    } catch (const trace::MalformedBlock& error) {
        failReading(error.what());
    }
}

trace::SegmentState StretchReader::state(std::int64_t ordinal) const
{
    Query query(*m_file, kStretchState, m_repeat, m_track, ordinal);
    if (!query.step())
        failReading("a state of its segments is gone");
    try {
        return trace::decodeSegmentState(query.bytes(0));
    } catch (const trace::MalformedBlock& error) {
        failReading(error.what());
    }
}

void StretchReader::failReading(const std::string& problem) const
{
    throw FileError(
        fmt::format("the trace '{}' of repeat {} is damaged: {}", m_track, m_repeat, problem), m_file->path().string());
}

bool areCovered(const std::vector<BlockPlace>& blocks, const std::vector<trace::SegmentStretch>& stretches)
{
    std::uint64_t events = 0;
    for (const trace::SegmentStretch& stretch : stretches) {
        const auto block = std::ranges::lower_bound(blocks, stretch.ordinal, {}, &BlockPlace::ordinal);
        if (stretch.firstEvent != events || block == blocks.end() || block->ordinal != stretch.ordinal
            || block->firstEvent != events)
            return false;
        events += stretch.events;
    }
    return events == (blocks.empty() ? 0 : blocks.back().firstEvent + blocks.back().count);
}

trace::SegmentStretch readStretch(const Query& row, int column)
{
    trace::SegmentStretch stretch{.ordinal = row.integer(column),
        .firstEvent = countIn(row, column + 1),
        .events = countIn(row, column + 2),
        .peak = {row.integer(column + 4), row.integer(column + 5), countIn(row, column + 3)}};
    trace::decodeFailures(row.bytes(column + 6), stretch);
    return stretch;
}

void insertStretch(
    SqliteFile& file, std::int64_t repeat, const std::string& track, const trace::SegmentStretch& stretch)
{
    const std::vector<std::byte> failures = trace::encodeFailures(stretch);
    Query(file, kInsertSegmentStretch, repeat, track, stretch.ordinal, static_cast<std::int64_t>(stretch.firstEvent),
        static_cast<std::int64_t>(stretch.events), static_cast<std::int64_t>(stretch.peak.events), stretch.peak.bytes,
        stretch.peak.allocatedBytes, std::span<const std::byte>(failures), std::span<const std::byte>(stretch.state))
        .run();
}

} // namespace headroom::store
