// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanBounds.h"

#include <algorithm>
#include <tuple>

namespace headroom::experiments {

PlanBounds::PlanBounds(const PlanAxes& axes)
    : m_axes(axes)
{
    std::size_t size = 1;
    for (const PlanAxis& axis : axes.axes) {
        m_strides.push_back(size);
        size *= axis.settings.size();
    }
    m_states.assign(size, State::Open);
    m_leastBytes.assign(size, 0);
    m_leastSeconds.assign(size, 0);
    for (std::size_t index = 0; index < size; ++index)
        if (isExcluded(pointOf(index)))
            m_states[index] = State::Excluded;
        else
            ++m_combinations;
}

PlanPoint PlanBounds::pointOf(std::size_t index) const
{
    PlanPoint point(m_strides.size());
    for (std::size_t axis = 0; axis < m_strides.size(); ++axis)
        point[axis] = index / m_strides[axis] % m_axes.axes[axis].settings.size();
    return point;
}

std::size_t PlanBounds::indexOf(const PlanPoint& point) const
{
    std::size_t index = 0;
    for (std::size_t axis = 0; axis < m_strides.size(); ++axis)
        index += point[axis] * m_strides[axis];
    return index;
}

bool PlanBounds::isExcluded(const PlanPoint& point) const
{
    return std::ranges::any_of(m_axes.exclusions, [&](const PlanExclusion& both) {
        return point[both.axis] == both.setting && point[both.otherAxis] == both.otherSetting;
    });
}

void PlanBounds::add(std::size_t index, const PlanFigures& figures)
{
    noteDisorder(index, figures);
    m_states[index] = State::Known;
    m_known[index] = figures;
    const auto bytes = static_cast<double>(figures.allocatedBytes);
    visitMilder(index, [&](std::size_t other) { m_leastBytes[other] = std::max(m_leastBytes[other], bytes); });
    visitSlower(
        index, [&](std::size_t other) { m_leastSeconds[other] = std::max(m_leastSeconds[other], figures.seconds); });
}

// Both directions: what is known bounds the new prediction, and the new one bounds what is known.
void PlanBounds::noteDisorder(std::size_t index, const PlanFigures& figures)
{
    const auto bytes = static_cast<double>(figures.allocatedBytes);
    const auto excess = [](double bound, double found) { return bound > found ? (bound - found) / bound : 0.0; };
    double memory = excess(m_leastBytes[index], bytes);
    double time = excess(m_leastSeconds[index], figures.seconds);
    visitMilder(index, [&](std::size_t other) {
        if (const auto known = m_known.find(other); known != m_known.end())
            memory = std::max(memory, excess(bytes, static_cast<double>(known->second.allocatedBytes)));
    });
    visitSlower(index, [&](std::size_t other) {
        if (const auto known = m_known.find(other); known != m_known.end())
            time = std::max(time, excess(figures.seconds, known->second.seconds));
    });
    m_memoryDisorder = std::max(m_memoryDisorder, memory);
    m_timeDisorder = std::max(m_timeDisorder, time);
}

void PlanBounds::exclude(std::size_t index)
{
    if (m_states[index] == State::Open)
        m_states[index] = State::Excluded;
}

void PlanBounds::dismiss(std::size_t axis, std::size_t setting)
{
    for (std::size_t index = 0; index < m_states.size(); ++index)
        if (index / m_strides[axis] % m_axes.axes[axis].settings.size() == setting)
            exclude(index);
}

void PlanBounds::visitMilder(std::size_t index, const Visit& visit) const
{
    visitAbove(index, PlanGuard::Of::Memory, visit);
}

void PlanBounds::visitSlower(std::size_t index, const Visit& visit) const
{
    visitAbove(index, PlanGuard::Of::Time, visit);
}

bool PlanBounds::isGuarded(const PlanPoint& one, const PlanPoint& other, PlanGuard::Of of) const
{
    return std::ranges::any_of(m_axes.guards, [&](const PlanGuard& guard) {
        return guard.of == of && one[guard.axis] != other[guard.axis]
            && (guard.settings[one[guard.other]] == 0 || guard.settings[other[guard.other]] == 0);
    });
}

// The orders make the combinations above one a product: of the settings above its setting, axis by axis.
void PlanBounds::visitAbove(std::size_t index, PlanGuard::Of of, const Visit& visit) const
{
    const PlanPoint from = pointOf(index);
    std::vector<std::vector<std::size_t>> above(from.size());
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        const PlanAxis& described = m_axes.axes[axis];
        const SettingOrder& order = of == PlanGuard::Of::Memory ? described.memory : described.time;
        for (std::size_t setting = 0; setting < described.settings.size(); ++setting)
            if (order.holds(from[axis], setting))
                above[axis].push_back(setting);
    }
    std::vector<std::size_t> at(from.size(), 0);
    PlanPoint point(from.size());
    for (std::size_t axis = 0; axis < from.size(); ++axis)
        point[axis] = above[axis].front();
    while (true) {
        if (!isGuarded(from, point, of))
            visit(indexOf(point));
        std::size_t axis = 0;
        while (axis < from.size() && ++at[axis] == above[axis].size()) {
            at[axis] = 0;
            point[axis] = above[axis].front();
            ++axis;
        }
        if (axis == from.size())
            return;
        point[axis] = above[axis][at[axis]];
    }
}

std::vector<PlanPoint> frontOf(
    const std::map<PlanPoint, PlanFigures>& predicted, const PlanAxes& axes, Bytes capacityBytes)
{
    std::vector<PlanPoint> byTime;
    for (const auto& [point, figures] : predicted)
        if (figures.bytes <= capacityBytes)
            byTime.push_back(point);
    std::ranges::stable_sort(byTime, {}, [&](const PlanPoint& point) {
        const PlanFigures& figures = predicted.at(point);
        return std::tuple(figures.seconds, figures.bytes, axes.simplicityOf(point));
    });
    std::vector<PlanPoint> front;
    std::optional<Bytes> least;
    for (const PlanPoint& point : byTime)
        if (const Bytes bytes = predicted.at(point).bytes; !least || bytes < *least) {
            least = bytes;
            front.push_back(point);
        }
    return front;
}

} // namespace headroom::experiments
