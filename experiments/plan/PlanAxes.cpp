// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanAxes.h"

namespace headroom::experiments {

PlanPoint PlanAxes::start() const
{
    PlanPoint point;
    for (const PlanAxis& axis : axes)
        point.push_back(axis.start);
    return point;
}

std::vector<SettingChange> PlanAxes::changesOf(const PlanPoint& point) const
{
    std::vector<SettingChange> changes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        for (const SettingChange& change : axes[axis].settings[point[axis]].changes)
            changes.push_back(change);
    return changes;
}

std::pair<int, int> PlanAxes::simplicityOf(const PlanPoint& point) const
{
    int used = 0;
    int effort = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const PlanSetting& setting = axes[axis].settings[point[axis]];
        used += setting.effort > 0 ? 1 : 0;
        effort += setting.effort;
    }
    return {used, effort};
}

} // namespace headroom::experiments
