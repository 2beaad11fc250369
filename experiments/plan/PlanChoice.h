// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanBounds.h"
#include "experiments/plan/PlanEstimate.h"

#include <limits>
#include <optional>
#include <vector>

namespace headroom::experiments {

/// What one stage of a search looks for: the least time, or the least memory, among combinations within limits.
class PlanGoal {
public:
    enum class Least { Time, Memory };

    Least least = Least::Time;
    Bytes capacityBytes = 0;
    double mostSeconds = std::numeric_limits<double>::infinity();

    bool allows(const PlanFigures& figures) const
    {
        return figures.bytes <= capacityBytes && figures.seconds <= mostSeconds;
    }

    /// Takes it as the best where it is better; ties are left to whoever chooses among the known.
    void offer(const PlanFigures& figures)
    {
        if (allows(figures) && (!m_best || valueOf(figures) < valueOf(*m_best)))
            m_best = figures;
    }

    const std::optional<PlanFigures>& best() const { return m_best; }

    /// Whether a combination with these figures would be the new best.
    bool wouldImprove(const PlanFigures& figures) const
    {
        return allows(figures) && (!m_best || valueOf(figures) < valueOf(*m_best));
    }

    /// Whether nothing that is known excludes that the open combination is the new best.
    bool isPossible(const PlanBounds& bounds, std::size_t index) const
    {
        const double bytes = bounds.leastBytes(index);
        const double seconds = bounds.leastSeconds(index);
        if (bytes > static_cast<double>(capacityBytes) || seconds > mostSeconds)
            return false;
        if (!m_best)
            return true;
        return least == Least::Time ? seconds < m_best->seconds : bytes < static_cast<double>(m_best->bytes);
    }

    /// Most memory, and most time, that a better combination than the best may have.
    double bytesLimit() const
    {
        const auto capacity = static_cast<double>(capacityBytes);
        return m_best && least == Least::Memory ? std::min(capacity, static_cast<double>(m_best->bytes)) : capacity;
    }
    double secondsLimit() const
    {
        return m_best && least == Least::Time ? std::min(mostSeconds, m_best->seconds) : mostSeconds;
    }

    double valueOf(const PlanFigures& figures) const
    {
        return least == Least::Time ? figures.seconds : static_cast<double>(figures.bytes);
    }

private:
    std::optional<PlanFigures> m_best;
};

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
