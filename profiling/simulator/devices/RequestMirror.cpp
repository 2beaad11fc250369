// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/devices/RequestMirror.h"

#include "profiling/simulator/OutOfMemory.h"

#include <algorithm>
#include <utility>

namespace headroom::simulator {

RequestMirror::RequestMirror(std::unique_ptr<SimulatedAllocator> allocator)
    : m_allocator(std::move(allocator))
{
}

void RequestMirror::allocated(Address original, Bytes bytes)
{
    if (original == 0)
        return;
    try {
        m_spareNodes.put(m_addresses, {original, m_allocator->allocate(bytes)});
    } catch (const OutOfMemory& error) {
        m_neededBytes = std::max(m_neededBytes, error.facts().reservedBytes + error.facts().segmentBytes);
    }
}

void RequestMirror::freed(Address original)
{
    const auto place = m_addresses.find(original);
    if (place == m_addresses.end())
        return;
    m_allocator->free(place->second);
    m_spareNodes.take(m_addresses, place);
}

void RequestMirror::emptyCache()
{
    m_allocator->emptyCache();
}

void RequestMirror::resetPeakStats()
{
    m_neededBytes = 0;
    m_allocator->resetPeakStats();
}

Bytes RequestMirror::reservedBytes() const
{
    return m_allocator->stats().reservedBytes.aggregate.current;
}

Bytes RequestMirror::peakReservedBytes() const
{
    return std::max(m_neededBytes, m_allocator->stats().reservedBytes.aggregate.peak);
}

} // namespace headroom::simulator
