// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/ChainSolver.h"
#include "profiling/collectors/budget/StepProbe.h"

#include <optional>

namespace headroom::collectors {

/// A model's blocks with what each policy costs, as simulated steps show it, for the solver.
class ProbedChain {
public:
    /// Adds a step in which each block had the policy of that position as a choice.
    void add(const BlockPolicies& policies, const MarkedStep& step);

    /// Whether every block has its policy of these as a choice.
    bool knows(const BlockPolicies& policies) const;

    /// What blocks keep with these choices.
    BlockPolicies policiesOf(const planning::ChainChoices& choices) const;

    /// Corrects what intervals need by what a step with these choices has shown: where blocks share tensors, or a block
    /// runs beside what its neighbour needs, sums differ a little.
    void correct(const planning::ChainChoices& choices, const MarkedStep& step);

    /// The chain without the choices that recompute a product with a bias, and without the `kept` bytes that every step
    /// added here had for such products. Nothing where no plan does without them, or all do.
    std::optional<ProbedChain> withoutRecomputedLt(Bytes kept) const;

    const planning::BlockChain& chain() const { return m_chain; }

private:
    void erase(std::size_t block, std::size_t choice);

    planning::BlockChain m_chain;
    std::vector<std::vector<bool>> m_recomputesLt; ///< by block and choice
    bool m_recomputesLtElsewhere = false;
    std::vector<std::vector<config::BlockPolicy>> m_policies; ///< by block and choice
};

} // namespace headroom::collectors
