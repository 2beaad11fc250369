// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/PeakSearch.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace headroom::store {
namespace {

constexpr std::size_t kWidth = 512; ///< buckets of one look

class PeakSearch {
public:
    PeakSearch(const TraceReader& reader, const TrackCounter& of)
        : m_reader(reader)
        , m_of(of)
    {
    }

    trace::Peak find(std::int64_t fromNs, std::int64_t toNs)
    {
        search(fromNs, toNs);
        narrow();
        return {m_best->max, std::max(m_best->beginNs, fromNs)};
    }

private:
    std::vector<trace::Bucket> look(std::int64_t fromNs, std::int64_t toNs) const
    {
        return m_reader.timeline(m_of.repeat, m_of.track, m_of.counter, fromNs, toNs, kWidth);
    }

    // Outer buckets may extend beyond the range: they are examined more closely if they could contain the peak.
    void search(std::int64_t fromNs, std::int64_t toNs)
    {
        for (const trace::Bucket& bucket : look(fromNs, toNs)) {
            if (m_best && bucket.max <= m_best->max)
                continue;
            if (bucket.beginNs >= fromNs && bucket.endNs <= toNs)
                m_best = bucket;
            else
                search(std::max(bucket.beginNs, fromNs), std::min(bucket.endNs, toNs));
        }
    }

    // The first bucket with the maximum contains the instant at which it was first reached.
    void narrow()
    {
        while (m_best->endNs - m_best->beginNs > 1) {
            const auto finer = look(m_best->beginNs, m_best->endNs);
            m_best = *std::ranges::find(finer, m_best->max, &trace::Bucket::max);
        }
    }

    const TraceReader& m_reader;
    const TrackCounter& m_of;
    std::optional<trace::Bucket> m_best;
};

/// Follows the blocks of a track up to a peak.
class PeakVisitor {
public:
    PeakVisitor(const trace::Peak& peak, std::span<const trace::PhaseSpan> phases)
        : m_peak(peak)
        , m_phases(phases)
    {
    }

    void visit(const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events)
    {
        if (!m_live)
            m_live.emplace(header.before, m_phases);
        for (std::size_t i = 0; i < events.size() && !hasArrived(events[i]); ++i)
            m_live->apply(events[i]);
    }

    trace::LiveMemory memory() const { return m_live ? m_live->memory() : trace::LiveMemory{}; }

private:
    bool hasArrived(const trace::AllocatorEvent& next)
    {
        const bool mayBeThere = next.timeNs >= m_peak.timeNs && m_live->counters().allocated == m_peak.bytes;
        m_hasArrived = m_hasArrived || mayBeThere || next.timeNs > m_peak.timeNs;
        return m_hasArrived;
    }

    const trace::Peak& m_peak;
    std::span<const trace::PhaseSpan> m_phases;
    std::optional<trace::LiveBlocks> m_live;
    bool m_hasArrived = false;
};

/// Raises the peaks of all spans that contain an event. Few spans are open at a time.
class PhaseVisitor {
public:
    PhaseVisitor(std::span<const trace::PhaseSpan> phases, trace::Counter counter)
        : m_phases(phases)
        , m_counter(counter)
        , m_peaks(phases.size())
    {
        for (std::size_t i = 0; i < phases.size(); ++i)
            m_byBegin.push_back(i);
        std::ranges::stable_sort(m_byBegin, {}, [&](std::size_t i) { return phases[i].beginNs; });
    }

    void visit(const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events)
    {
        trace::MemoryCounters counters = header.before;
        m_value = counters.of(m_counter);
        for (const trace::AllocatorEvent& event : events) {
            moveTo(event.timeNs);
            counters.apply(event);
            m_value = counters.of(m_counter);
            for (const std::size_t phase : m_open)
                m_peaks[phase] = std::max(m_peaks[phase], m_value);
        }
    }

    std::vector<Bytes> take()
    {
        moveTo(std::numeric_limits<std::int64_t>::max());
        return std::move(m_peaks);
    }

private:
    void moveTo(std::int64_t timeNs)
    {
        for (; m_next < m_byBegin.size() && m_phases[m_byBegin[m_next]].beginNs <= timeNs; ++m_next) {
            m_open.push_back(m_byBegin[m_next]);
            m_peaks[m_byBegin[m_next]] = m_value;
        }
        std::erase_if(m_open, [&](std::size_t phase) { return m_phases[phase].endNs <= timeNs; });
    }

    std::span<const trace::PhaseSpan> m_phases;
    trace::Counter m_counter;
    std::vector<Bytes> m_peaks;
    std::vector<std::size_t> m_byBegin;
    std::vector<std::size_t> m_open;
    std::size_t m_next = 0;
    Bytes m_value = 0;
};

} // namespace

trace::Peak findPeak(const TraceReader& reader, const TrackCounter& of, std::int64_t fromNs, std::int64_t toNs)
{
    return PeakSearch(reader, of).find(fromNs, std::max(toNs, fromNs + 1));
}

std::optional<trace::LiveMemory> findLiveMemory(const TraceReader& reader, const TrackCounter& of,
    const trace::Peak& peak, std::span<const trace::PhaseSpan> phases, const std::stop_token& stop)
{
    PeakVisitor visitor(peak, phases);
    reader.eachBlock(of.repeat, of.track, std::numeric_limits<std::int64_t>::min(), peak.timeNs + 1, stop,
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            visitor.visit(header, events);
        });
    if (stop.stop_requested())
        return std::nullopt;
    return visitor.memory();
}

std::optional<std::vector<Bytes>> findPhasePeaks(const TraceReader& reader, const TrackCounter& of,
    std::span<const trace::PhaseSpan> phases, const std::stop_token& stop)
{
    using Time = std::numeric_limits<std::int64_t>;
    PhaseVisitor visitor(phases, of.counter);
    reader.eachBlock(of.repeat, of.track, Time::min(), Time::max(), stop,
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            visitor.visit(header, events);
        });
    if (stop.stop_requested())
        return std::nullopt;
    return visitor.take();
}

} // namespace headroom::store
