// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/CategoryReader.h"

#include "profiling/store/Query.h"
#include "profiling/store/traces/RecordReader.h"
#include "profiling/trace/EventBlock.h"
#include "profiling/trace/MalformedBlock.h"

#include <optional>

namespace headroom::store {
namespace {

constexpr auto kCategoryLevel =
    "SELECT max(level) FROM category_pyramids WHERE repeat = ? AND track = ? AND level <= ?";
// From the chunk in which the window begins, or from the very first.
constexpr auto kCategoryChunksInWindow =
    "SELECT data FROM category_pyramids WHERE repeat = ?1 AND track = ?2 AND level = ?3 "
    "AND first_ns < ?5 AND first_ns >= coalesce((SELECT max(first_ns) "
    "FROM category_pyramids WHERE repeat = ?1 AND track = ?2 AND level = ?3 "
    "AND first_ns <= ?4), ?4) ORDER BY first_ns";
constexpr auto kCategoryFirstChunk =
    "SELECT data FROM category_pyramids WHERE repeat = ? AND track = ? AND level = ? ORDER BY first_ns LIMIT 1";
constexpr auto kHasPyramids =
    "SELECT (SELECT count(*) FROM (SELECT 1 FROM pyramids WHERE repeat = ?1 AND track = ?2 LIMIT 1)) > "
    "(SELECT count(*) FROM (SELECT 1 FROM category_pyramids WHERE repeat = ?1 AND track = ?2 LIMIT 1))";
constexpr auto kCategoryBlocksInWindow =
    "SELECT data FROM event_blocks "
    "WHERE repeat = ? AND track = ? AND last_ns >= ? AND first_ns < ? ORDER BY ordinal";
constexpr auto kCategoryBlockAfter = "SELECT data FROM event_blocks WHERE repeat = ? AND track = ? AND first_ns >= ? "
                                     "ORDER BY ordinal LIMIT 1";
constexpr auto kCategoryLastBlock =
    "SELECT data FROM event_blocks WHERE repeat = ? AND track = ? ORDER BY ordinal DESC LIMIT 1";

trace::CategoryChunk categoryChunkOfLevel(std::span<const std::byte> data, int level)
{
    trace::CategoryChunk chunk = trace::decodeCategoryChunk(data);
    if (chunk.shift != level)
        throw trace::MalformedBlock("a chunk of categories lies in the wrong level");
    return chunk;
}

trace::CategoryCounters heldBefore(std::span<const std::byte> block)
{
    return trace::CategoryCounters::of(trace::verifyEventBlock(block).categoriesBefore);
}

} // namespace

CategoryReader::CategoryReader(SqliteFile& file, std::int64_t repeat, const std::string& track)
    : m_file(file)
    , m_repeat(repeat)
    , m_track(track)
    , m_owners(RecordReader(file, repeat).owners())
{
}

std::vector<trace::CategoryBucket> CategoryReader::read(const trace::BinRange& range) const
{
    Query query(m_file, kCategoryLevel, m_repeat, m_track, range.shift);
    query.step();
    if (const auto level = query.optionalInteger(0))
        return fromPyramid(static_cast<int>(*level), range);
    return fromBlocks(range);
}

bool CategoryReader::isWithoutOwners() const
{
    Query query(m_file, kHasPyramids, m_repeat, m_track);
    return query.step() && query.integer(0) == 1;
}

std::vector<trace::CategoryBucket> CategoryReader::fromPyramid(int level, const trace::BinRange& range) const
{
    Query query(m_file, kCategoryChunksInWindow, m_repeat, m_track, level, range.beginNs(), range.endNs());
    if (!query.step()) {
        Query first(m_file, kCategoryFirstChunk, m_repeat, m_track, level);
        first.step();
        const auto before = trace::CategoryCounters::of(categoryChunkOfLevel(first.bytes(0), level).before);
        return trace::CategoryFold(range, before).take();
    }
    trace::CategoryChunk chunk = categoryChunkOfLevel(query.bytes(0), level);
    trace::CategoryFold fold(range, trace::CategoryCounters::of(chunk.before));
    trace::foldCategoryNodes(fold, level, chunk.nodes, range);
    while (query.step())
        trace::foldCategoryNodes(fold, level, categoryChunkOfLevel(query.bytes(0), level).nodes, range);
    return fold.take();
}

std::vector<trace::CategoryBucket> CategoryReader::fromBlocks(const trace::BinRange& range) const
{
    Query query(m_file, kCategoryBlocksInWindow, m_repeat, m_track, range.beginNs(), range.endNs());
    if (!query.step())
        return trace::CategoryFold(range, heldBeside(range.endNs())).take();
    std::optional<trace::CategoryFold> fold;
    do {
        // Each block contains the memory held before it, so a lost earlier block does no harm here.
        const auto events = trace::decodeEventBlock(query.bytes(0));
        trace::CategoryCounters held =
            trace::CategoryCounters::of(trace::readEventBlockHeader(query.bytes(0)).categoriesBefore);
        if (!fold)
            fold.emplace(range, held);
        fold->carry(held);
        for (const trace::AllocatorEvent& event : events) {
            if (!trace::CategoryCounters::isMovedBy(event.action))
                continue;
            held.apply(event, m_owners);
            fold->addPoint(event.timeNs, held);
        }
    } while (query.step());
    return fold->take();
}

// The memory held in a window that no block overlaps.
trace::CategoryCounters CategoryReader::heldBeside(std::int64_t endNs) const
{
    Query after(m_file, kCategoryBlockAfter, m_repeat, m_track, endNs);
    if (after.step())
        return heldBefore(after.bytes(0));
    Query last(m_file, kCategoryLastBlock, m_repeat, m_track);
    if (!last.step())
        return {};
    trace::CategoryCounters held = heldBefore(last.bytes(0));
    for (const trace::AllocatorEvent& event : trace::decodeEventBlock(last.bytes(0)))
        held.apply(event, m_owners);
    return held;
}

} // namespace headroom::store
