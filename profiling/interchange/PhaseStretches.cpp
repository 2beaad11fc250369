// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/PhaseStretches.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace headroom::interchange {
namespace {

struct Edge {
    std::int64_t timeNs;
    std::size_t phase;
    bool isBegin;
};

std::vector<Edge> edgesOf(std::span<const trace::PhaseSpan> phases)
{
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < phases.size(); ++i)
        if (phases[i].beginNs < phases[i].endNs)
            edges.insert(edges.end(), {{phases[i].beginNs, i, true}, {phases[i].endNs, i, false}});
    std::ranges::stable_sort(edges, {}, &Edge::timeNs);
    return edges;
}

} // namespace

PhaseStretches::PhaseStretches(std::span<const trace::PhaseSpan> phases)
    : m_stretches{{std::numeric_limits<std::int64_t>::min(), std::nullopt}}
{
    // Of those that are open the shortest; of equal ones that which was recorded first, as it ended first.
    std::set<std::pair<std::uint64_t, std::size_t>> open;
    for (const Edge& edge : edgesOf(phases)) {
        const trace::PhaseSpan& phase = phases[edge.phase];
        const std::pair entry{
            static_cast<std::uint64_t>(phase.endNs) - static_cast<std::uint64_t>(phase.beginNs), edge.phase};
        edge.isBegin ? static_cast<void>(open.insert(entry)) : static_cast<void>(open.erase(entry));
        const auto innermost = open.empty() ? std::nullopt : std::optional(open.begin()->second);
        if (m_stretches.back().beginNs == edge.timeNs)
            m_stretches.back().phase = innermost;
        else
            m_stretches.push_back({edge.timeNs, innermost});
    }
}

std::optional<std::size_t> PhaseStretches::at(std::int64_t timeNs) const
{
    const bool isInLast = m_stretches[m_last].beginNs <= timeNs
        && (m_last + 1 == m_stretches.size() || timeNs < m_stretches[m_last + 1].beginNs);
    if (!isInLast) {
        const auto after = std::ranges::upper_bound(m_stretches, timeNs, {}, &Stretch::beginNs);
        m_last = static_cast<std::size_t>(after - m_stretches.begin()) - 1;
    }
    return m_stretches[m_last].phase;
}

} // namespace headroom::interchange
