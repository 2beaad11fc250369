// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/ChainSolver.h"
#include "profiling/collectors/budget/StepProbe.h"

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

    const planning::BlockChain& chain() const { return m_chain; }

private:
    planning::BlockChain m_chain;
    std::vector<std::vector<config::BlockPolicy>> m_policies; ///< by block and choice
};

} // namespace headroom::collectors
