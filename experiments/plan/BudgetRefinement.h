// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanSearch.h"

#include <functional>
#include <vector>

namespace headroom::experiments {

/// Uses the memory that a plan's answer leaves: with the other settings of the best combinations, each block of the
/// model gets the policy of its own that a budget (`checkpointing = budget:SIZE`) finds.
///
/// A search compares policies of a few forms, in steps of a block; a budget costs as much as a dozen of its
/// simulations, so it is asked for once the search has ended, for few combinations. A budget bounds what is allocated:
/// its size is the capacity less what the combination needs beyond that, and is mended once or twice by what a
/// simulation then needs. Which combinations are worth it is told by what they take with all kept and with all
/// recomputed: what a budget takes lies between, in the share of the memory that is there.
class BudgetRefinement {
public:
    /// What a space knows beside its axes.
    struct Space {
        std::size_t axis = 0; ///< of the policies
        /// The point with a budget of this size in place of its policy; the space's axes grow by it.
        std::function<PlanPoint(const PlanPoint& point, Bytes size)> withBudget;
        std::function<bool(const PlanPoint& point)> canWork;
    };

    /// Sizes are multiples of this: fragmentation is no more exact, and people read them.
    static constexpr Bytes kSizeStep = 32LL << 20;

    /// The axes have to outlive this.
    BudgetRefinement(const PlanAxes& axes, Space space, PlanSearch::Predict predict);

    /// Adds what it predicts to the findings, and takes what is faster for the answer. `most` combinations are refined,
    /// side by side. Without an answer, or one without checkpointing, nothing is done. `hasTime` is asked before all
    /// that is not needed to predict one budget for each.
    void run(
        PlanFindings& findings, const PlanQuestion& question, std::size_t most, const std::function<bool()>& hasTime);

private:
    struct Attempt {
        PlanPoint base; ///< with the policy that is the fastest that fits
        double expectedSeconds = 0;
        Bytes size = 0;
        bool isDone = false;
    };

    std::vector<Attempt> attempts(
        PlanFindings& findings, const PlanQuestion& question, std::size_t most, const std::function<bool()>& mayGoOn);
    std::vector<Attempt> ranked(const PlanFindings& findings, Bytes capacityBytes) const;
    std::vector<PlanPoint> neighbours(const std::vector<Attempt>& ranked) const;
    bool isAmong(const std::vector<Attempt>& ranked, const PlanPoint& point) const;
    void predictWith(std::size_t policy, const std::vector<PlanPoint>& points, PlanFindings& findings);
    std::vector<PlanPoint> fastestByOtherSettings(const PlanFindings& findings, Bytes capacityBytes) const;
    void predictPolicies(const std::vector<Attempt>& attempts, PlanFindings& findings, Bytes capacityBytes);
    std::vector<std::size_t> lastBelow(const std::vector<std::size_t>& kind, double share) const;
    std::optional<double> shareOfKept(const PlanFindings& findings, const PlanPoint& base, Bytes capacityBytes) const;
    double expectedSeconds(const PlanFindings& findings, const PlanPoint& base, Bytes capacityBytes) const;
    void predict(const std::vector<PlanPoint>& points, PlanFindings& findings);
    void predictRound(std::vector<Attempt>& attempts, PlanFindings& findings, const PlanQuestion& question);
    static void mend(Attempt& attempt, const PlanFigures& figures, Bytes capacityBytes);
    void conclude(PlanFindings& findings, const PlanQuestion& question) const;

    const PlanAxes& m_axes;
    Space m_space;
    std::size_t m_plainest = 0; ///< no policy: blocks keep everything
    std::size_t m_simplest = 0; ///< the simplest policy: blocks keep least
    PlanSearch::Predict m_predict;
};

} // namespace headroom::experiments
