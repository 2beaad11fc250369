// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanAxes.h"

#include <algorithm>
#include <map>

namespace headroom::experiments {

std::vector<std::vector<std::size_t>> PlanAxis::kinds() const
{
    std::map<std::string, std::vector<std::size_t>> byName;
    for (std::size_t setting = 0; setting < settings.size(); ++setting)
        byName[settings[setting].kind].push_back(setting);
    std::vector<std::vector<std::size_t>> kinds;
    for (auto& [name, ofKind] : byName) {
        std::ranges::stable_sort(ofKind, {}, [&](std::size_t setting) { return settings[setting].extent; });
        kinds.push_back(std::move(ofKind));
    }
    return kinds;
}

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
