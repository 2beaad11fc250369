// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/InnermostPhases.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace headroom::trace {
namespace {

std::vector<PhaseSpan> byBegin(std::span<const PhaseSpan> phases)
{
    std::vector<PhaseSpan> sorted(phases.begin(), phases.end());
    std::erase_if(sorted, [](const PhaseSpan& phase) { return phase.endNs <= phase.beginNs; });
    std::ranges::stable_sort(sorted, {}, &PhaseSpan::beginNs);
    return sorted;
}

std::vector<std::int64_t> boundariesOf(const std::vector<PhaseSpan>& phases)
{
    std::vector<std::int64_t> boundaries{std::numeric_limits<std::int64_t>::min()};
    for (const PhaseSpan& phase : phases)
        boundaries.insert(boundaries.end(), {phase.beginNs, phase.endNs});
    std::ranges::sort(boundaries);
    const auto repeated = std::ranges::unique(boundaries);
    boundaries.erase(repeated.begin(), repeated.end());
    return boundaries;
}

} // namespace

InnermostPhases::InnermostPhases(std::span<const PhaseSpan> phases)
    : m_phases(byBegin(phases))
{
    // The innermost phase is the shortest that covers a stretch. Open phases are kept in order of length.
    const auto isLonger = [&](std::size_t a, std::size_t b) {
        return m_phases[a].endNs - m_phases[a].beginNs > m_phases[b].endNs - m_phases[b].beginNs;
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(isLonger)> begun(isLonger);
    std::size_t next = 0;
    for (const std::int64_t boundary : boundariesOf(m_phases)) {
        for (; next < m_phases.size() && m_phases[next].beginNs <= boundary; ++next)
            begun.push(next);
        while (!begun.empty() && m_phases[begun.top()].endNs <= boundary)
            begun.pop();
        m_stretches.push_back({boundary, begun.empty() ? m_phases.size() : begun.top()});
    }
}

std::size_t InnermostPhases::at(std::int64_t timeNs)
{
    const bool isInLast = m_stretches[m_stretch].beginNs <= timeNs
        && (m_stretch + 1 == m_stretches.size() || timeNs < m_stretches[m_stretch + 1].beginNs);
    if (!isInLast) {
        const auto after = std::ranges::upper_bound(m_stretches, timeNs, {}, &Stretch::beginNs);
        m_stretch = static_cast<std::size_t>(after - m_stretches.begin()) - 1;
    }
    return m_stretches[m_stretch].phase;
}

} // namespace headroom::trace
