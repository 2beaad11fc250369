// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanBounds.h"

#include <vector>

namespace headroom::experiments {

/// The combinations with which a search begins, as indices of the bounds, which have what is known of them.
class PlanSeeds {
public:
    /// An axis of more settings, such as policies over blocks, is a scale that others are looked at along.
    static constexpr std::size_t kLongAxis = 64;

    PlanSeeds(const PlanAxes& axes, const PlanBounds& bounds)
        : m_axes(axes)
        , m_bounds(bounds)
        , m_start(axes.start())
        , m_frugal(frugal())
    {
    }

    /// From now on the setting of the axis, instead of the trial's, in all that is proposed.
    void settle(std::size_t axis, std::size_t setting)
    {
        m_start[axis] = setting;
        m_frugal[axis] = setting;
    }

    /// The trial as it is, frugal along long axes: what other techniques change shows there.
    PlanPoint base() const;
    /// The trial as it is, and the most frugal combination.
    std::vector<std::size_t> ends() const;
    /// From the trial as it is and frugal along the other long axes, each axis by itself through a few settings of each
    /// kind.
    std::vector<std::size_t> singles() const;

private:
    PlanPoint frugal() const;
    PlanPoint along(std::size_t butAxis) const;

    const PlanAxes& m_axes;
    const PlanBounds& m_bounds;
    PlanPoint m_start;
    PlanPoint m_frugal; ///< of what is open at first: what is predicted later does not move it
};

} // namespace headroom::experiments
