// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/FreshMemory.h"

#include <algorithm>

namespace headroom::simulator {

FreshMemory::FreshMemory(const FreshMemoryProfile& profile)
    : m_profile(profile)
{
}

double FreshMemory::secondsFor(Bytes live)
{
    const Bytes grown = live - m_live;
    m_live = live;
    Bytes fresh = std::max<Bytes>(live - m_held, 0);
    if (grown > m_profile.largestKeptBlockBytes.value)
        fresh = std::max(fresh, grown);
    m_held = std::clamp(m_held, live, live + m_profile.keptBytes.value);
    return static_cast<double>(fresh) / m_profile.bytesPerSecond.value;
}

} // namespace headroom::simulator
