// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanNeighbours.h"

#include <algorithm>
#include <optional>

namespace headroom::experiments {
namespace {

// Others are not tried in a plan's explanations: whether they help is known without them.
constexpr std::size_t kNearSettings = 2;

/// The settings of one axis that are asked about.
class NearSettings {
public:
    NearSettings(const PlanAxis& axis, std::size_t own)
        : m_axis(axis)
        , m_own(own)
    {
        const bool isUsed = axis.settings[own].effort > 0;
        if (isUsed)
            addOff();
        addNearestOfItsKind();
        if (isUsed)
            addSimplestOfItsKind();
        else
            addSimplest();
    }

    const std::vector<std::size_t>& settings() const { return m_found; }

private:
    void add(std::size_t setting)
    {
        if (setting != m_own && std::ranges::find(m_found, setting) == m_found.end())
            m_found.push_back(setting);
    }

    void addOff()
    {
        for (std::size_t setting = 0; setting < m_axis.settings.size(); ++setting)
            if (m_axis.settings[setting].effort == 0)
                return add(setting);
    }

    // The next larger and the next smaller extent.
    void addNearestOfItsKind()
    {
        std::optional<std::size_t> larger;
        std::optional<std::size_t> smaller;
        const PlanSetting& own = m_axis.settings[m_own];
        for (std::size_t setting = 0; setting < m_axis.settings.size(); ++setting) {
            const PlanSetting& other = m_axis.settings[setting];
            if (setting == m_own || other.kind != own.kind)
                continue;
            auto& place = other.extent >= own.extent ? larger : smaller;
            const auto distance = [&](std::size_t at) { return std::abs(m_axis.settings[at].extent - own.extent); };
            if (!place || distance(setting) < distance(*place))
                place = setting;
        }
        for (const auto& near : {larger, smaller})
            if (near)
                add(*near);
    }

    void addSimplestOfItsKind()
    {
        std::optional<std::size_t> simplest;
        const PlanSetting& own = m_axis.settings[m_own];
        for (std::size_t setting = 0; setting < m_axis.settings.size(); ++setting)
            if (const PlanSetting& other = m_axis.settings[setting]; other.kind == own.kind && other.effort > 0
                && other.effort < own.effort && (!simplest || other.effort < m_axis.settings[*simplest].effort))
                simplest = setting;
        if (simplest)
            add(*simplest);
        else
            addSimplest();
    }

    void addSimplest()
    {
        std::optional<std::size_t> simplest;
        for (std::size_t setting = 0; setting < m_axis.settings.size(); ++setting)
            if (const int effort = m_axis.settings[setting].effort;
                effort > 0 && (!simplest || effort < m_axis.settings[*simplest].effort))
                simplest = setting;
        if (simplest)
            add(*simplest);
    }

    const PlanAxis& m_axis;
    std::size_t m_own;
    std::vector<std::size_t> m_found;
};

} // namespace

std::vector<PlanPoint> neighboursOf(const PlanAxes& axes, const PlanFindings& findings, std::size_t most)
{
    std::vector<PlanPoint> neighbours;
    if (!findings.answer)
        return neighbours;
    for (const bool used : {true, false}) // what the answer uses is asked about first
        for (std::size_t axis = 0; axis < axes.axes.size(); ++axis) {
            const std::size_t own = (*findings.answer)[axis];
            if ((axes.axes[axis].settings[own].effort > 0) != used)
                continue;
            std::size_t taken = 0;
            const NearSettings near(axes.axes[axis], own);
            for (const std::size_t setting : near.settings()) {
                PlanPoint point = *findings.answer;
                point[axis] = setting;
                if (taken++ < kNearSettings + (used ? 1 : 0) && neighbours.size() < most)
                    neighbours.push_back(std::move(point));
            }
        }
    return neighbours;
}

} // namespace headroom::experiments
