// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/tradeoff/TradeoffFigure.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headroom::figures {

/// The trials of a trade-off sorted by what can be said about them.
class TradeoffFronts {
public:
    explicit TradeoffFronts(const TradeoffInput& input);

    /// Trials with a peak and a speed, as indices of the input's; and the rest.
    const std::vector<std::size_t>& plotted() const { return m_plotted; }
    const std::vector<std::size_t>& left() const { return m_left; }
    const std::vector<std::string>& groups() const { return m_groups; }

    /// Each front in order of memory: the measured and the predicted one of each group, in the order of the groups.
    const std::vector<std::vector<std::size_t>>& fronts() const { return m_fronts; }
    bool onFront(std::size_t trial) const { return m_onFront.contains(trial); }
    /// The fastest trial of each front that keeps the budget; none without a budget.
    const std::vector<std::size_t>& best() const { return m_best; }
    bool isBest(std::size_t trial) const;

private:
    std::size_t groupOf(std::size_t trial) const;
    void sortOut();
    void findFronts();
    void addFront(const std::vector<std::size_t>& members);

    const TradeoffInput& m_input;
    std::vector<std::size_t> m_plotted;
    std::vector<std::size_t> m_left;
    std::vector<std::string> m_groups;
    std::map<std::string, std::size_t> m_positions; ///< of each group among them
    std::vector<std::vector<std::size_t>> m_fronts;
    std::set<std::size_t> m_onFront;
    std::vector<std::size_t> m_best;
};

} // namespace headroom::figures
