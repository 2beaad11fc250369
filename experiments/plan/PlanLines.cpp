// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanLines.h"

#include "experiments/plan/PlanSeeds.h"

#include <algorithm>
#include <cmath>

namespace headroom::experiments {

PlanLines::PlanLines(const PlanAxes& axes, const PlanBounds& bounds, PlanPoint base)
    : m_axes(axes)
    , m_bounds(bounds)
    , m_base(std::move(base))
{
    if (!m_bounds.known().contains(m_bounds.indexOf(m_base)))
        return;
    for (std::size_t axis = 0; axis < m_base.size(); ++axis)
        if (m_axes.axes[axis].settings.size() > PlanSeeds::kLongAxis)
            drawLines(axis);
}

void PlanLines::drawLines(std::size_t axis)
{
    constexpr std::size_t kFewest = 4;
    const std::vector<PlanSetting>& all = m_axes.axes[axis].settings;
    for (const std::vector<std::size_t>& settings : m_axes.axes[axis].kinds()) {
        std::vector<std::pair<std::size_t, PlanFigures>> known;
        PlanPoint point = m_base;
        for (const std::size_t setting : settings) {
            point[axis] = setting;
            if (const auto found = m_bounds.known().find(m_bounds.indexOf(point)); found != m_bounds.known().end())
                known.emplace_back(setting, found->second);
        }
        if (settings.size() < kFewest || known.size() < 2)
            continue;
        const double from = all[known.front().first].extent;
        m_lines.push_back(
            {axis, settings, from, all[known.back().first].extent - from, known.front().second, known.back().second});
    }
}

PlanLines::Expected PlanLines::on(const Line& line, std::size_t setting) const
{
    const double extent = m_axes.axes[line.axis].settings[setting].extent;
    const double share = line.extents == 0 ? 0 : (extent - line.firstExtent) / line.extents;
    const auto first = static_cast<double>(line.first.bytes);
    return {first + share * (static_cast<double>(line.last.bytes) - first),
        line.first.seconds + share * (line.last.seconds - line.first.seconds)};
}

std::size_t PlanLines::nearest(const Line& line, const PlanPoint& point, std::size_t setting) const
{
    const std::vector<PlanSetting>& all = m_axes.axes[line.axis].settings;
    std::size_t nearest = m_base[line.axis];
    double least = INFINITY;
    PlanPoint other = point;
    for (const std::size_t candidate : line.settings) {
        other[line.axis] = candidate;
        const double distance = std::abs(all[candidate].extent - all[setting].extent);
        if (distance < least && m_bounds.known().contains(m_bounds.indexOf(other))) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::optional<std::pair<double, std::size_t>> PlanLines::best(
    const Line& line, const PlanPoint& point, Bytes capacity) const
{
    std::optional<std::pair<double, std::size_t>> best;
    PlanPoint at = point;
    for (const std::size_t setting : line.settings) {
        at[line.axis] = setting;
        const std::size_t index = m_bounds.indexOf(at);
        Expected expected;
        if (const auto known = m_bounds.known().find(index); known != m_bounds.known().end())
            expected = {static_cast<double>(known->second.bytes), known->second.seconds};
        else if (m_bounds.isOpen(index)) {
            PlanPoint from = point;
            from[line.axis] = nearest(line, point, setting);
            PlanPoint onBase = m_base;
            onBase[line.axis] = from[line.axis];
            const PlanFigures& near = m_bounds.known().at(m_bounds.indexOf(from));
            const auto baseKnown = m_bounds.known().find(m_bounds.indexOf(onBase));
            const Expected there = baseKnown == m_bounds.known().end()
                ? on(line, from[line.axis])
                : Expected{static_cast<double>(baseKnown->second.bytes), baseKnown->second.seconds};
            const Expected here = on(line, setting);
            expected = {static_cast<double>(near.bytes) + here.bytes - there.bytes,
                near.seconds + here.seconds - there.seconds};
        } else
            continue;
        if (expected.bytes <= static_cast<double>(capacity) && (!best || expected.seconds < best->first))
            best = {expected.seconds, index};
    }
    return best;
}

std::vector<std::size_t> PlanLines::promising(Bytes capacity, std::size_t most) const
{
    std::vector<std::pair<double, std::size_t>> ranked;
    for (const Line& line : m_lines)
        for (const auto& [index, figures] : m_bounds.known()) {
            const PlanPoint point = m_bounds.pointOf(index);
            if (point[line.axis] != m_base[line.axis])
                continue;
            if (const auto found = best(line, point, capacity))
                ranked.push_back(*found);
        }
    std::ranges::sort(ranked);
    std::vector<std::size_t> promising;
    for (const auto& [seconds, index] : ranked)
        if (promising.size() < most && m_bounds.isOpen(index) && std::ranges::find(promising, index) == promising.end())
            promising.push_back(index);
    return promising;
}

} // namespace headroom::experiments
