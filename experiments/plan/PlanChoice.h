// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanEstimate.h"
#include "experiments/plan/PlanGoal.h"

#include <vector>

namespace headroom::experiments {

/// Chooses which combinations are predicted next: those that the estimate expects to be better than the best, and those
/// whose prediction is expected to cut off most of what is still possible.
class PlanChoice {
public:
    /// `possible` are the indices of the combinations that may still be better; not empty.
    PlanChoice(
        const PlanAxes& axes, const PlanBounds& bounds, const PlanGoal& goal, const std::vector<std::size_t>& possible);

    /// Up to so many, at least one.
    std::vector<std::size_t> take(std::size_t count, const PlanEstimate& estimate);
    /// Whether something that was taken is expected to be better than the best.
    bool isPromising() const { return m_isPromising; }

private:
    struct Candidate {
        std::size_t index = 0;
        PlanFigures expected;
    };

    void takePromising(std::size_t count, const std::vector<Candidate>& candidates);
    void takeDecisive(std::size_t count, const std::vector<Candidate>& candidates);
    std::size_t cutOffBy(const Candidate& candidate) const;
    std::size_t stillPossible(bool milder, std::size_t index) const;
    PlanPoint withoutLongAxes(std::size_t index) const;
    bool isTaken(std::size_t index) const;

    const PlanAxes& m_axes;
    const PlanBounds& m_bounds;
    const PlanGoal& m_goal;
    const std::vector<std::size_t>& m_possible;
    std::vector<std::size_t> m_taken;
    bool m_isPromising = false;
};

} // namespace headroom::experiments
