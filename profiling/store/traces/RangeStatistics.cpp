// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/RangeStatistics.h"

#include <algorithm>

namespace headroom::store {
namespace {

class RangeFold {
public:
    RangeFold(trace::Counter counter, std::int64_t fromNs, std::int64_t toNs)
        : m_counter(counter)
        , m_atNs(fromNs)
        , m_fromNs(fromNs)
        , m_toNs(toNs)
    {
    }

    void begin(Bytes value)
    {
        m_value = value;
        m_result = {value, value, 0};
    }

    // Each block contains the counters before its first event.
    void add(const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events)
    {
        trace::MemoryCounters counters = header.before;
        for (const trace::AllocatorEvent& event : events) {
            if (event.timeNs >= m_toNs)
                return;
            counters.apply(event);
            if (event.timeNs >= m_fromNs)
                change(event.timeNs, counters.of(m_counter));
        }
    }

    RangeStatistics result()
    {
        advance(m_toNs);
        m_result.mean = m_sum / static_cast<double>(m_toNs - m_fromNs);
        return m_result;
    }

private:
    void advance(std::int64_t timeNs)
    {
        m_sum += static_cast<double>(m_value) * static_cast<double>(timeNs - m_atNs);
        m_atNs = timeNs;
    }

    void change(std::int64_t timeNs, Bytes value)
    {
        advance(std::max(timeNs, m_atNs));
        m_value = value;
        m_result.min = std::min(m_result.min, value);
        m_result.max = std::max(m_result.max, value);
    }

    trace::Counter m_counter;
    std::int64_t m_atNs;
    std::int64_t m_fromNs;
    std::int64_t m_toNs;
    Bytes m_value = 0;
    double m_sum = 0;
    RangeStatistics m_result;
};

} // namespace

std::optional<RangeStatistics> rangeStatistics(const TraceReader& reader, const TrackCounter& of, std::int64_t fromNs,
    std::int64_t toNs, const std::stop_token& stop)
{
    RangeFold fold(of.counter, fromNs, std::max(toNs, fromNs + 1));
    // The last value of the bucket that ends where the range begins is the value at the begin of the range.
    fold.begin(reader.timeline(of.repeat, of.track, of.counter, fromNs - 1, fromNs, 2).back().last);
    reader.eachBlock(of.repeat, of.track, fromNs, toNs, stop,
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            fold.add(header, events);
        });
    if (stop.stop_requested())
        return std::nullopt;
    return fold.result();
}

} // namespace headroom::store
