// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SegmentHistory.h"

#include "core/base/Error.h"
#include "profiling/store/traces/StretchRebuild.h"
#include "profiling/trace/peaks/SegmentStateData.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headroom::store {
namespace {

constexpr std::size_t kShortestStretch = 0; // in memory: as many states as their size allows

} // namespace

SegmentHistory::SegmentHistory(StretchReader reader)
    : m_reader(std::move(reader))
    , m_blocks(m_reader.blocks())
{
    if (!m_blocks.empty())
        m_events = m_blocks.back().firstEvent + m_blocks.back().count;
}

std::optional<SegmentHistory> SegmentHistory::read(const TraceReader& reader, std::int64_t repeat,
    const std::string& track, const std::stop_token& stop, const std::function<void(double)>& progress,
    std::size_t mostBytes)
{
    SegmentHistory history(reader.stretches(repeat, track));
    const std::vector<trace::SegmentStretch> stored = history.m_reader.stretches();
    if (areCovered(history.m_blocks, stored)) {
        history.take(stored);
        return history;
    }
    const auto all = static_cast<double>(std::max<std::uint64_t>(history.m_events, 1));
    const auto tell = [&](std::uint64_t events) {
        if (progress)
            progress(std::min(1.0, static_cast<double>(events) / all));
    };
    const auto keep = [&](trace::SegmentStretch stretch) { history.keep(std::move(stretch), mostBytes); };
    eachStretch(reader, repeat, track, stop, tell, kShortestStretch, keep);
    if (stop.stop_requested())
        return std::nullopt;
    return history;
}

void SegmentHistory::take(const std::vector<trace::SegmentStretch>& stretches)
{
    for (const trace::SegmentStretch& stretch : stretches) {
        m_peak.raise(stretch.peak);
        m_failures.insert(m_failures.end(), stretch.failures.begin(), stretch.failures.end());
        m_starts.push_back({stretch.ordinal, stretch.firstEvent});
    }
}

// Where there is no room for more, every second one goes: moments take twice as long from then on.
void SegmentHistory::keep(trace::SegmentStretch stretch, std::size_t mostBytes)
{
    m_peak.raise(stretch.peak);
    m_failures.insert(m_failures.end(), stretch.failures.begin(), stretch.failures.end());
    if (m_stretches++ % m_everyStretch != 0)
        return;
    m_keptBytes += stretch.state.size();
    m_starts.push_back({stretch.ordinal, stretch.firstEvent, std::move(stretch.state)});
    while (m_starts.size() > 1 && m_keptBytes > mostBytes) {
        std::size_t place = 0;
        std::erase_if(m_starts, [&](const Start& start) {
            const bool goes = place++ % 2 == 1;
            m_keptBytes -= goes ? start.state.size() : 0;
            return goes;
        });
        m_everyStretch *= 2;
    }
}

trace::SegmentState SegmentHistory::stateOf(const Start& start) const
{
    trace::SegmentState state =
        start.state.empty() ? m_reader.state(start.ordinal) : trace::decodeSegmentState(start.state);
    state.events = start.events; // whatever a damaged row says
    return state;
}

std::size_t SegmentHistory::blockOf(std::uint64_t events) const
{
    const auto after = std::ranges::upper_bound(m_blocks, events, {}, &BlockPlace::firstEvent);
    return after == m_blocks.begin() ? 0 : static_cast<std::size_t>(std::distance(m_blocks.begin(), after)) - 1;
}

const StoredEvents& SegmentHistory::eventsOf(std::size_t block) const
{
    if (!m_decoded.events.empty() && m_decodedBlock == block)
        return m_decoded;
    const BlockPlace& wanted = m_blocks.at(block);
    m_decoded = m_reader.events(wanted.ordinal);
    m_decodedBlock = block;
    if (m_decoded.events.size() == wanted.count)
        return m_decoded;
    m_decoded = {};
    throw FileError("the trace has changed while it is shown", {}, "open its trial again");
}

trace::SegmentState SegmentHistory::at(std::uint64_t events) const
{
    const std::uint64_t wanted = std::min(events, m_events);
    if (m_starts.empty())
        return {};
    const auto after = std::ranges::upper_bound(m_starts, wanted, {}, &Start::events);
    trace::SegmentFollower follower(stateOf(after == m_starts.begin() ? m_starts.front() : *std::prev(after)));
    for (std::size_t block = blockOf(follower.events()); follower.events() < wanted; ++block) {
        const StoredEvents& stored = eventsOf(block);
        follower.settle(stored.header.before);
        const auto count = std::min<std::uint64_t>(wanted - follower.events(), stored.events.size());
        for (std::uint64_t i = 0; i < count; ++i)
            follower.apply(stored.events[i]);
    }
    return follower.state();
}

std::uint64_t SegmentHistory::eventsUntil(std::int64_t timeNs) const
{
    const auto after = std::ranges::upper_bound(m_blocks, timeNs, {}, &BlockPlace::firstNs);
    if (after == m_blocks.begin())
        return 0;
    const auto block = static_cast<std::size_t>(std::distance(m_blocks.begin(), after)) - 1;
    if (m_blocks[block].lastNs <= timeNs)
        return m_blocks[block].firstEvent + m_blocks[block].count;
    const std::vector<trace::AllocatorEvent>& events = eventsOf(block).events;
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
    return eventsOf(block).events.at(place - m_blocks[block].firstEvent);
}

} // namespace headroom::store
