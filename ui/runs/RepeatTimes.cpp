// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/RepeatTimes.h"

namespace headroom::ui {

std::size_t RepeatTimes::kindOf(const experiments::PlannedTrial& trial)
{
    const std::string name = trial.trial.device.notation() + " " + trial.trial.configuration.model;
    const auto [found, isNew] = m_names.emplace(name, m_kinds.size());
    if (isNew)
        m_kinds.push_back({.isSimulated = trial.trial.device.isSimulated()});
    return found->second;
}

void RepeatTimes::add(std::size_t kind, Seconds time)
{
    m_kinds.at(kind).total += time;
    ++m_kinds[kind].count;
}

std::optional<RepeatTimes::Seconds> RepeatTimes::expected(std::size_t kind) const
{
    Kind known = m_kinds.at(kind);
    if (known.count == 0)
        for (const Kind& other : m_kinds)
            if (other.isSimulated == known.isSimulated) {
                known.total += other.total;
                known.count += other.count;
            }
    return known.count == 0 ? std::nullopt : std::optional(known.total / known.count);
}

} // namespace headroom::ui
