// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/PlotTargets.h"

#include <string_view>
#include <unordered_map>

namespace headroom::ui {

/// Where in a figure each trial is, so that a selection of many among many is found at once.
class TrialIndex {
public:
    /// The figure must outlive it.
    explicit TrialIndex(const figures::Figure& figure);

    std::vector<Target> of(const QString& trial) const;

private:
    std::unordered_multimap<std::string_view, Target> m_targets;
};

} // namespace headroom::ui
