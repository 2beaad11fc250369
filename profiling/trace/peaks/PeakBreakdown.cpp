// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/PeakBreakdown.h"

#include <algorithm>

namespace headroom::trace {

void PeakBreakdown::restart()
{
    m_peakBytes = m_allocatedBytes;
    m_isAtPeak = true;
    ++m_peak;
}

bool PeakBreakdown::add(const AllocatorEvent& event)
{
    switch (event.action) {
    case Action::Alloc:
        m_isAtPeak = false;
        change(event.owner, event.bytes);
        m_allocatedBytes += event.bytes;
        return reached();
    case Action::FreeRequested:
        m_isAtPeak = false;
        change(event.owner, -event.bytes);
        m_allocatedBytes -= event.bytes;
        return false;
    case Action::Relabelled:
        change(event.previousOwner, -event.bytes);
        change(event.owner, event.bytes);
        return false;
    default:
        return false;
    }
}

bool PeakBreakdown::reached()
{
    if (m_allocatedBytes <= m_peakBytes)
        return false;
    m_peakBytes = m_allocatedBytes;
    m_isAtPeak = true;
    ++m_peak;
    return true;
}

void PeakBreakdown::change(OwnerId owner, Bytes bytes)
{
    if (owner >= m_owned.size())
        m_owned.resize(owner + std::size_t{1});
    Owned& owned = m_owned[owner];
    if (!m_isAtPeak && owned.peak != m_peak) {
        owned.atPeak = owned.now;
        owned.peak = m_peak;
    }
    owned.now += bytes;
}

std::vector<Bytes> PeakBreakdown::atPeak() const
{
    std::vector<Bytes> bytes(m_owned.size());
    std::ranges::transform(
        m_owned, bytes.begin(), [this](const Owned& owned) { return owned.peak == m_peak ? owned.atPeak : owned.now; });
    return bytes;
}

std::vector<Bytes> PeakBreakdown::now() const
{
    std::vector<Bytes> bytes(m_owned.size());
    std::ranges::transform(m_owned, bytes.begin(), &Owned::now);
    return bytes;
}

} // namespace headroom::trace
