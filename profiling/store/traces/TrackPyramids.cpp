// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/TrackPyramids.h"

#include "profiling/store/Query.h"

#include <algorithm>

namespace headroom::store {
namespace {

// Levels coarser than the first one this small would save nothing: reading it whole costs as much as one chunk.
constexpr std::size_t kSmallLevel = 1'024;

constexpr auto kInsertChunk = "INSERT INTO pyramids (repeat, track, counter, level, first_ns, last_ns, count, data) "
                              "VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
constexpr auto kInsertCategories =
    "INSERT INTO category_pyramids (repeat, track, level, first_ns, last_ns, count, data) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)";

struct Target {
    SqliteFile& file;
    std::int64_t repeat;
    const std::string& track;
    std::string_view counter;
};

void writeLevel(const Target& target, const trace::PyramidLevel& level, Bytes before)
{
    std::span<const trace::PyramidNode> rest = level.nodes;
    while (!rest.empty()) {
        const auto nodes = rest.first(std::min(rest.size(), trace::kMaxChunkNodes));
        const trace::PyramidChunk chunk{{level.shift, {nodes.begin(), nodes.end()}}, before};
        const auto data = trace::encodePyramidChunk(level.shift, before, nodes);
        insertPyramidChunk(target.file, target.repeat, target.track, target.counter, chunk, data);
        before = nodes.back().last;
        rest = rest.subspan(nodes.size());
    }
}

} // namespace

TrackPyramids::TrackPyramids(const trace::MemoryCounters& before, const trace::OwnerCategories& owners)
    : m_owners(owners)
    , m_counters(before)
    , m_pyramids{trace::Pyramid(before.allocated), trace::Pyramid(before.reserved), trace::Pyramid(before.active)}
    , m_categories(trace::CategoryCounters::ofUnknown(before.allocated))
{
}

// A counter that an event does not change needs no point: a bin without one keeps the value. But no pyramid stays
// empty, as its readers would then read the blocks.
void TrackPyramids::append(const trace::AllocatorEvent& event)
{
    const trace::MemoryCounters before = m_counters;
    m_counters.apply(event);
    m_lastNs = m_events == 0 ? event.timeNs : std::max(m_lastNs, event.timeNs);
    for (std::size_t i = 0; i < m_pyramids.size(); ++i) {
        const Bytes value = m_counters.of(trace::kCounters[i]);
        if (value != before.of(trace::kCounters[i]) || m_events == 0)
            m_pyramids[i].append(m_lastNs, value);
    }
    if (trace::CategoryCounters::isMovedBy(event.action))
        m_categories.append(m_lastNs, event, m_owners);
    ++m_events;
}

void TrackPyramids::resume(const trace::EventBlockHeader& header)
{
    if (header.before == m_counters && header.categoriesBefore == categories())
        return;
    m_counters = header.before;
    m_categories.resume(trace::CategoryCounters::of(header.categoriesBefore));
}

void TrackPyramids::write(SqliteFile& file, std::int64_t repeat, const std::string& track)
{
    if (m_events <= kMaxEventsWithout)
        return;
    for (std::size_t i = 0; i < m_pyramids.size(); ++i) {
        const Target target{file, repeat, track, trace::counterName(trace::kCounters[i])};
        for (const trace::PyramidLevel& level : m_pyramids[i].levels()) {
            writeLevel(target, level, m_pyramids[i].before());
            if (level.nodes.size() <= kSmallLevel)
                break;
        }
    }
    for (const trace::CategoryPyramid::Chunk& chunk : m_categories.finish(kSmallLevel))
        insertCategoryChunk(file, repeat, track, chunk.place, chunk.data);
}

void insertPyramidChunk(SqliteFile& file, std::int64_t repeat, const std::string& track, std::string_view counter,
    const trace::PyramidChunk& chunk, std::span<const std::byte> data)
{
    Query(file, kInsertChunk, repeat, track, counter, chunk.level.shift, chunk.firstNs(), chunk.lastNs(),
        chunk.level.nodes.size(), data)
        .run();
}

void insertCategoryChunk(SqliteFile& file, std::int64_t repeat, const std::string& track,
    const trace::CategoryChunkPlace& place, std::span<const std::byte> data)
{
    Query(file, kInsertCategories, repeat, track, place.shift, place.firstNs, place.lastNs, place.count, data).run();
}

} // namespace headroom::store
