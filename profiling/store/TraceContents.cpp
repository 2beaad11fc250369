// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/TraceContents.h"

#include <limits>

namespace headroom::store {
namespace {

using Events = std::span<const trace::AllocatorEvent>;
using Time = std::numeric_limits<std::int64_t>;

/// Follows the blocks of a track up to an instant, or to where a counter first reaches a value in it.
class HoldingsVisitor {
public:
    HoldingsVisitor(std::int64_t timeNs, std::optional<Bytes> reached, const TrackCounter& of,
        std::span<const trace::PhaseSpan> phases)
        : m_timeNs(timeNs)
        , m_reached(reached)
        , m_of(of)
        , m_phases(phases)
    {
    }

    void visit(const trace::EventBlockHeader& header, Events events)
    {
        if (!m_live)
            m_live.emplace(header.before, m_phases);
        m_live->settle(header.before);
        for (std::size_t i = 0; i < events.size() && !hasArrived(events[i]); ++i)
            m_live->apply(events[i]);
    }

    trace::Holdings holdings() const
    {
        trace::Holdings holdings = m_live ? m_live->holdings() : trace::Holdings{};
        holdings.timeNs = m_timeNs;
        return holdings;
    }

private:
    bool hasArrived(const trace::AllocatorEvent& next)
    {
        const bool isThere = m_reached && next.timeNs >= m_timeNs && m_live->counters().of(m_of.counter) == *m_reached;
        m_hasArrived = m_hasArrived || isThere || next.timeNs > m_timeNs;
        return m_hasArrived;
    }

    std::int64_t m_timeNs;
    std::optional<Bytes> m_reached;
    const TrackCounter& m_of;
    std::span<const trace::PhaseSpan> m_phases;
    std::optional<trace::LiveHoldings> m_live;
    bool m_hasArrived = false;
};

std::optional<trace::Holdings> follow(const TraceReader& reader, const TrackCounter& of, std::int64_t timeNs,
    HoldingsVisitor visitor, const std::stop_token& stop)
{
    const std::int64_t endNs = timeNs == Time::max() ? timeNs : timeNs + 1;
    reader.eachBlock(of.repeat, of.track, Time::min(), endNs, stop,
        [&](const trace::EventBlockHeader& header, Events events) { visitor.visit(header, events); });
    if (stop.stop_requested())
        return std::nullopt;
    return visitor.holdings();
}

} // namespace

std::optional<trace::Holdings> findHoldings(const TraceReader& reader, const TrackCounter& of, const trace::Peak& peak,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop)
{
    return follow(reader, of, peak.timeNs, HoldingsVisitor(peak.timeNs, peak.bytes, of, phases), stop);
}

std::optional<trace::Holdings> findHoldingsAt(const TraceReader& reader, const TrackCounter& of, std::int64_t timeNs,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop)
{
    return follow(reader, of, timeNs, HoldingsVisitor(timeNs, std::nullopt, of, phases), stop);
}

std::optional<std::vector<trace::PhaseContent>> findPhaseContents(const TraceReader& reader, const TrackCounter& of,
    std::span<const trace::PhaseSpan> phases, const trace::OwnerTable& owners, const std::stop_token& stop)
{
    trace::PhaseContents contents(phases, owners);
    reader.eachBlock(of.repeat, of.track, Time::min(), Time::max(), stop,
        [&](const trace::EventBlockHeader& header, Events events) { contents.visit(header, events); });
    if (stop.stop_requested())
        return std::nullopt;
    return contents.take();
}

} // namespace headroom::store
