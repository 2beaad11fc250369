// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/UnusedMemory.h"

namespace headroom::trace {

UnusedMemory::UnusedMemory(std::int64_t fromNs, std::int64_t toNs, std::size_t width)
    : m_fromNs(fromNs)
    , m_toNs(toNs)
    , m_fold(BinRange::covering(fromNs, toNs, width), 0)
    , m_peak{0, fromNs}
{
}

void UnusedMemory::visit(const EventBlockHeader& header, std::span<const AllocatorEvent> events)
{
    MemoryCounters counters = header.before;
    m_fold.carry(counters.reserved - counters.allocated);
    for (const AllocatorEvent& event : events) {
        if (!m_hasBegun && event.timeNs >= m_fromNs)
            look(m_fromNs, counters.reserved - counters.allocated);
        m_hasBegun = m_hasBegun || event.timeNs >= m_fromNs;
        counters.apply(event);
        const Bytes unused = counters.reserved - counters.allocated;
        m_fold.addPoint(event.timeNs, unused);
        look(event.timeNs, unused);
    }
}

void UnusedMemory::look(std::int64_t timeNs, Bytes unused)
{
    if (timeNs >= m_fromNs && timeNs < m_toNs && unused > m_peak.bytes)
        m_peak = {unused, timeNs};
}

} // namespace headroom::trace
