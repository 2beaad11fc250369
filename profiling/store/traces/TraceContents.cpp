// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/TraceContents.h"

#include "profiling/trace/peaks/SegmentFollower.h"

#include <limits>

namespace headroom::store {
namespace {

using Events = std::span<const trace::AllocatorEvent>;
using Time = std::numeric_limits<std::int64_t>;

/// An instant, or the first time within it at which a counter reaches a value.
struct Until {
    std::int64_t timeNs = 0;
    trace::Counter counter = trace::Counter::Allocated;
    std::optional<Bytes> reached{};

    // Owners that become known right after a peak count for it.
    bool hasCome(const trace::AllocatorEvent& next, const trace::MemoryCounters& counters) const
    {
        const bool isThere = reached && next.timeNs >= timeNs && counters.of(counter) == *reached;
        const bool isRemark = next.action == trace::Action::Relabelled && reached && counters.of(counter) == *reached;
        return !isRemark && (isThere || next.timeNs > timeNs);
    }
};

// Follows the blocks of a track with a `Live`, constructed from the counters before the first block and from `more`.
template <typename Live, typename... More>
std::optional<Live> follow(const TraceReader& reader, const TrackCounter& of, const Until& until,
    const std::stop_token& stop, const More&... more)
{
    std::optional<Live> live;
    bool hasCome = false;
    const std::int64_t endNs = until.timeNs == Time::max() ? until.timeNs : until.timeNs + 1;
    reader.eachBlock(
        of.repeat, of.track, Time::min(), endNs, stop, [&](const trace::EventBlockHeader& header, Events events) {
            if (!live)
                live.emplace(header.before, more...);
            if (!hasCome)
                live->settle(header.before);
            for (const trace::AllocatorEvent& event : events) {
                hasCome = hasCome || until.hasCome(event, live->counters());
                if (hasCome)
                    return;
                live->apply(event);
            }
        });
    if (stop.stop_requested())
        return std::nullopt;
    if (!live)
        live.emplace(trace::MemoryCounters{}, more...);
    return live;
}

std::optional<trace::Holdings> holdings(const TraceReader& reader, const TrackCounter& of, const Until& until,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop)
{
    const auto live = follow<trace::LiveHoldings>(reader, of, until, stop, phases);
    if (!live)
        return std::nullopt;
    trace::Holdings found = live->holdings();
    found.timeNs = until.timeNs;
    return found;
}

std::optional<trace::Fragmentation> fragmentation(
    const TraceReader& reader, const TrackCounter& of, const Until& until, const std::stop_token& stop)
{
    const auto live = follow<trace::SegmentFollower>(reader, of, until, stop);
    return live ? std::optional(trace::fragmentationOf(live->state())) : std::nullopt;
}

} // namespace

std::optional<trace::Holdings> findHoldings(const TraceReader& reader, const TrackCounter& of, const trace::Peak& peak,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop)
{
    return holdings(reader, of, {peak.timeNs, of.counter, peak.bytes}, phases, stop);
}

std::optional<trace::Holdings> findHoldingsAt(const TraceReader& reader, const TrackCounter& of, std::int64_t timeNs,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop)
{
    return holdings(reader, of, {.timeNs = timeNs}, phases, stop);
}

std::optional<trace::Fragmentation> findFragmentation(
    const TraceReader& reader, const TrackCounter& of, const trace::Peak& peak, const std::stop_token& stop)
{
    return fragmentation(reader, of, {peak.timeNs, of.counter, peak.bytes}, stop);
}

std::optional<trace::Fragmentation> findFragmentationAt(
    const TraceReader& reader, const TrackCounter& of, std::int64_t timeNs, const std::stop_token& stop)
{
    return fragmentation(reader, of, {.timeNs = timeNs}, stop);
}

} // namespace headroom::store
