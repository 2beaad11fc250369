// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SegmentHistory.h"

#include "core/base/Error.h"

#include <algorithm>
#include <iterator>

namespace headroom::store {
namespace {

std::uint64_t eventsIn(const TraceReader& reader, std::int64_t repeat, const std::string& track)
{
    for (const TrackRow& row : reader.tracks(repeat))
        if (row.track == track)
            return static_cast<std::uint64_t>(row.events);
    return 0;
}

std::size_t sizeOf(const trace::SegmentState& state)
{
    return sizeof(state) + state.segments.capacity() * sizeof(trace::HeldSegment)
        + state.blocks.capacity() * sizeof(trace::HeldBlock);
}

} // namespace

std::optional<SegmentHistory> SegmentHistory::read(const TraceReader& reader, std::int64_t repeat,
    const std::string& track, const std::stop_token& stop, const std::function<void(double)>& progress,
    std::size_t mostBytes)
{
    using Time = std::numeric_limits<std::int64_t>;
    SegmentHistory history(reader, repeat, track);
    const auto all = static_cast<double>(std::max<std::uint64_t>(eventsIn(reader, repeat, track), 1));
    std::optional<trace::SegmentFollower> follower;
    reader.eachBlock(repeat, track, Time::min(), Time::max(), stop,
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            if (!follower)
                follower.emplace(trace::SegmentState());
            follower->settle(header.before);
            follower->rebase();
            if (history.m_blocks.size() % history.m_everyBlock == 0)
                history.keep(follower->state(), mostBytes);
            history.m_blocks.push_back({history.m_events, header.count, header.firstNs, header.lastNs, header.before});
            for (const trace::AllocatorEvent& event : events) {
                follower->apply(event);
                const trace::MemoryCounters& now = follower->counters();
                const ReservedPeak& peak = history.m_reservedPeak;
                if (now.reserved > peak.bytes || (now.reserved == peak.bytes && now.allocated > peak.allocatedBytes))
                    history.m_reservedPeak = {now.reserved, now.allocated, follower->events()};
                if (event.action == trace::Action::OutOfMemory)
                    history.m_failures.push_back(follower->events());
            }
            history.m_events += header.count;
            if (progress)
                progress(std::min(1.0, static_cast<double>(history.m_events) / all));
        });
    if (stop.stop_requested())
        return std::nullopt;
    return history;
}

std::size_t SegmentHistory::keptBytes() const
{
    std::size_t bytes = 0;
    for (const trace::SegmentState& state : m_kept)
        bytes += sizeOf(state);
    return bytes;
}

// Where there is no room for more, every second one goes: states take twice as long from then on.
void SegmentHistory::keep(const trace::SegmentState& state, std::size_t mostBytes)
{
    m_kept.push_back(state);
    while (m_kept.size() > 1 && keptBytes() > mostBytes) {
        std::size_t place = 0;
        std::erase_if(m_kept, [&](const trace::SegmentState&) { return place++ % 2 == 1; });
        m_everyBlock *= 2;
    }
}

std::size_t SegmentHistory::blockOf(std::uint64_t events) const
{
    const auto after = std::ranges::upper_bound(m_blocks, events, {}, &StoredBlock::firstEvent);
    return after == m_blocks.begin() ? 0 : static_cast<std::size_t>(std::distance(m_blocks.begin(), after)) - 1;
}

// Blocks that share a time are told apart by their order.
const SegmentHistory::Events& SegmentHistory::eventsOf(std::size_t block) const
{
    if (!m_decoded.empty() && m_decodedBlock == block)
        return m_decoded;
    const StoredBlock& wanted = m_blocks.at(block);
    const std::int64_t endNs = wanted.lastNs + 1;
    const auto overlaps = [&](const StoredBlock& other) {
        return other.lastNs >= wanted.firstNs && other.firstNs < endNs;
    };
    std::size_t skipped = static_cast<std::size_t>(
        std::count_if(m_blocks.begin(), m_blocks.begin() + static_cast<std::ptrdiff_t>(block), overlaps));
    bool isFound = false;
    m_reader.eachBlock(m_repeat, m_track, wanted.firstNs, endNs, {},
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            if (isFound || skipped-- > 0)
                return;
            isFound = header.count == wanted.count && header.before == wanted.before;
            m_decoded.assign(events.begin(), events.end());
        });
    m_decodedBlock = block;
    if (!isFound)
        throw FileError("the trace has changed while it is shown", "track " + m_track, "open its trial again");
    return m_decoded;
}

trace::SegmentState SegmentHistory::at(std::uint64_t events) const
{
    const std::uint64_t wanted = std::min(events, m_events);
    if (m_kept.empty())
        return {};
    const auto after = std::ranges::upper_bound(m_kept, wanted, {}, &trace::SegmentState::events);
    trace::SegmentFollower follower(after == m_kept.begin() ? m_kept.front() : *std::prev(after));
    for (std::size_t block = blockOf(follower.events()); follower.events() < wanted; ++block) {
        follower.settle(m_blocks.at(block).before);
        const Events& all = eventsOf(block);
        const auto count = std::min<std::uint64_t>(wanted - follower.events(), all.size());
        for (std::uint64_t i = 0; i < count; ++i)
            follower.apply(all[i]);
    }
    return follower.state();
}

std::uint64_t SegmentHistory::eventsUntil(std::int64_t timeNs) const
{
    const auto after = std::ranges::upper_bound(m_blocks, timeNs, {}, &StoredBlock::firstNs);
    if (after == m_blocks.begin())
        return 0;
    const auto block = static_cast<std::size_t>(std::distance(m_blocks.begin(), after)) - 1;
    if (m_blocks[block].lastNs <= timeNs)
        return m_blocks[block].firstEvent + m_blocks[block].count;
    const Events& events = eventsOf(block);
    const auto last =
        std::ranges::find_if(events.rbegin(), events.rend(), [&](const auto& event) { return event.timeNs <= timeNs; });
    return m_blocks[block].firstEvent + static_cast<std::uint64_t>(std::distance(last, events.rend()));
}

std::optional<trace::AllocatorEvent> SegmentHistory::lastOf(std::uint64_t events) const
{
    if (events == 0 || m_blocks.empty())
        return std::nullopt;
    const std::uint64_t place = std::min(events, m_events) - 1;
    const std::size_t block = blockOf(place);
    return eventsOf(block).at(place - m_blocks[block].firstEvent);
}

} // namespace headroom::store
