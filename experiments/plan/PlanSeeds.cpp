// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanSeeds.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

// The least, the middle and the largest extent of each kind.
std::vector<std::size_t> typicalSettings(const PlanAxis& axis)
{
    std::vector<std::size_t> typical;
    for (const std::vector<std::size_t>& settings : axis.kinds()) {
        typical.push_back(settings.front());
        if (settings.size() > 1)
            typical.push_back(settings.back());
        if (settings.size() > 8)
            typical.push_back(settings[settings.size() / 2]);
    }
    return typical;
}

} // namespace

// Each axis at the setting that most others need no less memory than.
PlanPoint PlanSeeds::frugal() const
{
    PlanPoint point = m_start;
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
        const PlanAxis& described = m_axes.axes[axis];
        const auto milderThan = [&](std::size_t setting) {
            std::size_t count = 0;
            for (std::size_t other = 0; other < described.settings.size(); ++other)
                count += described.memory.holds(setting, other) ? 1U : 0U;
            return count;
        };
        PlanPoint moved = point;
        for (std::size_t setting = 0; setting < described.settings.size(); ++setting) {
            moved[axis] = setting;
            if (milderThan(setting) > milderThan(point[axis]) && m_bounds.isOpen(m_bounds.indexOf(moved)))
                point[axis] = setting;
        }
    }
    return point;
}

// The trial as it is, but frugal along the long axes other than this one: what other techniques change shows there.
PlanPoint PlanSeeds::along(std::size_t butAxis) const
{
    PlanPoint point = m_start;
    for (std::size_t axis = 0; axis < point.size(); ++axis)
        if (axis != butAxis && m_axes.axes[axis].settings.size() > kLongAxis)
            point[axis] = m_frugal[axis];
    return point;
}

PlanPoint PlanSeeds::base() const
{
    return along(m_axes.axes.size());
}

std::vector<std::size_t> PlanSeeds::ends() const
{
    return {m_bounds.indexOf(m_start), m_bounds.indexOf(m_frugal)};
}

std::vector<std::size_t> PlanSeeds::singles() const
{
    std::vector<std::size_t> singles;
    for (std::size_t axis = 0; axis < m_axes.axes.size(); ++axis)
        for (const std::size_t setting : typicalSettings(m_axes.axes[axis])) {
            PlanPoint point = along(axis);
            point[axis] = setting;
            singles.push_back(m_bounds.indexOf(point));
        }
    return singles;
}

} // namespace headroom::experiments
