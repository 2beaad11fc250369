// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanBounds.h"

#include <optional>
#include <vector>

namespace headroom::experiments {

/// Expects memory and time along a long axis, such as policies over blocks, to change from combination to combination
/// as they do in the base: few predictions in each then find how far it can go along the axis within a card.
///
/// Decides only what is predicted next.
class PlanLines {
public:
    /// `base` is the combination through which the lines are drawn, by what is known along its axes.
    PlanLines(const PlanAxes& axes, const PlanBounds& bounds, PlanPoint base);

    /// For each combination of the other axes that is known at the base's setting of a long axis: the setting of it
    /// that is expected to be the fastest within the capacity, if nothing is known of it; of these the fastest, at most
    /// so many.
    std::vector<std::size_t> promising(Bytes capacity, std::size_t most) const;

private:
    /// Through two known settings of one kind.
    struct Line {
        std::size_t axis = 0;
        std::vector<std::size_t> settings; ///< of the kind, by extent
        double firstExtent = 0;
        double extents = 0; ///< between the two
        PlanFigures first;
        PlanFigures last;
    };
    struct Expected {
        double bytes = 0;
        double seconds = 0;
    };

    void drawLines(std::size_t axis);
    Expected on(const Line& line, std::size_t setting) const;
    /// What is known of the combination nearest to the setting, and where.
    std::size_t nearest(const Line& line, const PlanPoint& point, std::size_t setting) const;
    std::optional<std::pair<double, std::size_t>> best(const Line& line, const PlanPoint& point, Bytes capacity) const;

    const PlanAxes& m_axes;
    const PlanBounds& m_bounds;
    PlanPoint m_base;
    std::vector<Line> m_lines;
};

} // namespace headroom::experiments
