// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/TrackPyramids.h"

#include "profiling/store/Query.h"

#include <algorithm>

namespace headroom::store {
namespace {

// Coarser levels than the first one this small would save nothing: reading it whole costs what one chunk costs.
constexpr std::size_t kSmallLevel = 1'024;

constexpr auto kInsertChunk = "INSERT INTO pyramids (repeat, track, counter, level, first_ns, last_ns, count, data) "
                              "VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

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

TrackPyramids::TrackPyramids(const trace::MemoryCounters& before)
    : m_counters(before)
    , m_pyramids{trace::Pyramid(before.allocated), trace::Pyramid(before.reserved), trace::Pyramid(before.active)}
{
}

void TrackPyramids::append(const trace::AllocatorEvent& event)
{
    m_counters.apply(event);
    for (std::size_t i = 0; i < m_pyramids.size(); ++i)
        m_pyramids[i].append(event.timeNs, m_counters.of(trace::kCounters[i]));
}

void TrackPyramids::write(SqliteFile& file, std::int64_t repeat, const std::string& track) const
{
    if (m_pyramids.front().points() <= kMaxEventsWithout)
        return;
    for (std::size_t i = 0; i < m_pyramids.size(); ++i) {
        const Target target{file, repeat, track, trace::counterName(trace::kCounters[i])};
        for (const trace::PyramidLevel& level : m_pyramids[i].levels()) {
            writeLevel(target, level, m_pyramids[i].before());
            if (level.nodes.size() <= kSmallLevel)
                break;
        }
    }
}

void insertPyramidChunk(SqliteFile& file, std::int64_t repeat, const std::string& track, std::string_view counter,
    const trace::PyramidChunk& chunk, std::span<const std::byte> data)
{
    Query(file, kInsertChunk, repeat, track, counter, chunk.level.shift, chunk.firstNs(), chunk.lastNs(),
        chunk.level.nodes.size(), data)
        .run();
}

} // namespace headroom::store
