// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanBounds.h"

#include <limits>
#include <optional>

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

} // namespace headroom::experiments
