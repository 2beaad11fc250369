// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/tradeoff/TradeoffFigure.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::figures {

/// Which colour and shape each trial of a trade-off has, and the legend that says what they mean: both by group, or
/// each by a setting that the input names.
class TradeoffLooks {
public:
    explicit TradeoffLooks(const TradeoffInput& input);

    const Look& look(std::size_t trial) const { return m_looks[trial]; }
    /// Of the front that goes through a trial.
    Look frontLook(std::size_t trial) const;
    /// Of those trials.
    std::vector<LegendEntry> legend(const std::vector<std::size_t>& plotted) const;

private:
    /// Positions among the distinct keys.
    struct Keys {
        std::size_t colour;
        std::size_t shape;
    };

    Look lookOf(const Keys& keys, Provenance provenance) const;
    bool isByGroup() const { return !m_input.colourBy && !m_input.shapeBy; }
    std::string colourKey(std::size_t trial) const;
    std::string shapeKey(std::size_t trial) const;
    void addGroups(const std::vector<std::size_t>& plotted, std::vector<LegendEntry>& entries) const;
    void addColours(const std::vector<std::size_t>& plotted, std::vector<LegendEntry>& entries) const;
    void addShapes(const std::vector<std::size_t>& plotted, std::vector<LegendEntry>& entries) const;
    void addProvenances(const std::vector<std::size_t>& plotted, std::vector<LegendEntry>& entries) const;
    Provenance provenanceOf(const std::vector<std::size_t>& trials) const;

    const TradeoffInput& m_input;
    std::vector<std::string> m_colours; ///< distinct, in the order of the trials
    std::vector<std::string> m_shapes;
    std::vector<Look> m_looks; ///< of the trials
};

} // namespace headroom::figures
