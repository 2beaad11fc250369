// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanSeeds.h"

#include "experiments/plan/FitRanking.h"

#include <algorithm>
#include <functional>

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
    PlanPoint point = m_axes.start();
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
    PlanPoint point = m_axes.start();
    const PlanPoint most = frugal();
    for (std::size_t axis = 0; axis < point.size(); ++axis)
        if (axis != butAxis && m_axes.axes[axis].settings.size() > kLongAxis)
            point[axis] = most[axis];
    return point;
}

PlanPoint PlanSeeds::base() const
{
    return along(m_axes.axes.size());
}

std::vector<std::size_t> PlanSeeds::ends() const
{
    return {m_bounds.indexOf(m_axes.start()), m_bounds.indexOf(frugal())};
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

// What two techniques save together is no sum, and the best is often two that save cheaply, each by itself too slow
// or too large.
std::vector<std::size_t> PlanSeeds::pairs() const
{
    const PlanPoint base = this->base();
    std::vector<std::vector<std::size_t>> savers;
    for (std::size_t axis = 0; axis < base.size(); ++axis)
        savers.push_back(saversOf(axis, base));
    std::vector<std::size_t> pairs;
    for (std::size_t one = 0; one < base.size(); ++one)
        for (std::size_t other = one + 1; other < base.size(); ++other)
            for (const std::size_t ofOne : savers[one])
                for (const std::size_t ofOther : savers[other]) {
                    PlanPoint point = base;
                    point[one] = ofOne;
                    point[other] = ofOther;
                    pairs.push_back(m_bounds.indexOf(point));
                }
    return pairs;
}

// The settings of a short axis that save most for the time they take, all else as in the base.
std::vector<std::size_t> PlanSeeds::saversOf(std::size_t axis, const PlanPoint& base) const
{
    constexpr std::size_t kSavers = 2;
    const auto without = m_bounds.known().find(m_bounds.indexOf(base));
    const std::size_t settings = m_axes.axes[axis].settings.size();
    if (without == m_bounds.known().end() || settings > kLongAxis || m_axes.axes[axis].isIndependent)
        return {};
    const PlanFigures& plain = without->second;
    std::vector<std::pair<double, std::size_t>> ranked;
    PlanPoint point = base;
    for (point[axis] = 0; point[axis] < settings; ++point[axis]) {
        const auto known = m_bounds.known().find(m_bounds.indexOf(point));
        if (known == m_bounds.known().end() || known->second.bytes > plain.bytes - plain.bytes / 50)
            continue;
        const double lost = std::max(known->second.seconds / plain.seconds - 1, kSameSpeed);
        ranked.emplace_back(static_cast<double>(plain.bytes - known->second.bytes) / lost, point[axis]);
    }
    std::ranges::sort(ranked, std::greater());
    ranked.resize(std::min(ranked.size(), kSavers));
    std::vector<std::size_t> savers;
    for (const auto& [worth, setting] : ranked)
        savers.push_back(setting);
    return savers;
}

} // namespace headroom::experiments
