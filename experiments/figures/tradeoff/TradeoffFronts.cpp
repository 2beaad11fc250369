// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/tradeoff/TradeoffFronts.h"

#include "experiments/figures/tradeoff/ParetoFront.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {
namespace {

bool hasPlace(const TradeoffTrial& trial)
{
    return trial.outcome == Outcome::Completed && trial.peak && *trial.peak >= 0 && trial.perSecond
        && std::isfinite(*trial.perSecond) && *trial.perSecond > 0;
}

// What contradicts other trials or does not fit is shown, but nobody is to choose it.
bool canBeChosen(const TradeoffTrial& trial)
{
    return trial.fits.value_or(true)
        && std::find(trial.flags.begin(), trial.flags.end(), Flag::Implausible) == trial.flags.end();
}

} // namespace

TradeoffFronts::TradeoffFronts(const TradeoffInput& input)
    : m_input(input)
{
    sortOut();
    findFronts();
}

std::size_t TradeoffFronts::groupOf(std::size_t trial) const
{
    return m_positions.at(m_input.trials[trial].group);
}

bool TradeoffFronts::isBest(std::size_t trial) const
{
    return std::find(m_best.begin(), m_best.end(), trial) != m_best.end();
}

void TradeoffFronts::sortOut()
{
    for (std::size_t i = 0; i < m_input.trials.size(); ++i) {
        const TradeoffTrial& trial = m_input.trials[i];
        (hasPlace(trial) ? m_plotted : m_left).push_back(i);
        if (m_positions.try_emplace(trial.group, m_groups.size()).second)
            m_groups.push_back(trial.group);
    }
}

void TradeoffFronts::findFronts()
{
    std::map<std::pair<std::size_t, Provenance>, std::vector<std::size_t>> members;
    for (const std::size_t i : m_plotted)
        if (canBeChosen(m_input.trials[i]))
            members[{groupOf(i), m_input.trials[i].provenance}].push_back(i);
    for (const auto& [key, trials] : members)
        addFront(trials);
}

void TradeoffFronts::addFront(const std::vector<std::size_t>& members)
{
    std::vector<Cost> costs;
    for (const std::size_t i : members)
        costs.push_back({static_cast<double>(*m_input.trials[i].peak), *m_input.trials[i].perSecond});
    std::vector<std::size_t> front;
    for (const std::size_t position : paretoFront(costs))
        front.push_back(members[position]);
    m_onFront.insert(front.begin(), front.end());
    m_fronts.push_back(std::move(front));
    if (m_input.budget)
        if (const auto best = fastestWithin(costs, static_cast<double>(m_input.budget->bytes)))
            m_best.push_back(members[*best]);
}

} // namespace headroom::figures
