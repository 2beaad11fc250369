// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/BlockPolicy.h"
#include "profiling/collectors/budget/MarkedBlocks.h"
#include "profiling/collectors/budget/ProbedChain.h"

#include <functional>
#include <vector>

namespace headroom::collectors {

/// Policies worth a choice for a block with these calls, the one that keeps least first: the block recomputed as a
/// whole; then with ever more results kept, those first that save most time for each byte; with all of them kept; and
/// the block not checkpointed. Blocks with equal calls get equal policies.
std::vector<config::BlockPolicy> policyLevels(const std::vector<SavableCall>& calls);

/// Policies for the blocks of a model, and what a simulated step with them takes.
struct PlannedBlocks {
    BlockPolicies policies;
    Bytes peakBytes = 0; ///< of allocated memory
    double seconds = 0;
};

/// Finds the policies of least time within a budget, for one trial and any number of budgets.
class BudgetPlanner {
public:
    /// Trial and device are borrowed. Simulates the steps that tell what each policy costs. `pause` is called between
    /// steps and may throw.
    BudgetPlanner(const config::Trial& trial, const simulator::SimulatedDevice& device, std::function<void()> pause);

    /// Ends the simulation, before another one begins on this thread; the next plan begins it again.
    void release() { m_probe.reset(); }

    /// Policies whose simulated step stays within `budget`; nothing if none are known.
    std::optional<PlannedBlocks> within(Bytes budget);

    /// Those of least peak, as far as is known, the least first; a few, as a trial may differ a little.
    std::vector<PlannedBlocks> least();

private:
    void probeLevels();
    void probe(const BlockPolicies& policies);
    std::optional<double> refine(ProbedChain chain, Bytes budget, double mostSeconds);
    void lower(ProbedChain chain);
    void judgeBestUniform(Bytes budget);
    MarkedStep judge(const BlockPolicies& policies);
    std::optional<PlannedBlocks> bestKnown(Bytes budget) const;

    StepProbe& steps();

    const config::Trial& m_trial;
    const simulator::SimulatedDevice& m_device;
    std::unique_ptr<StepProbe> m_probe;
    std::function<void()> m_pause;
    bool m_choosesCalls;
    ProbedChain m_chain;
    std::optional<ProbedChain> m_leanChain; ///< of choices for which autograd's thread keeps no workspace of cublasLt
    std::vector<PlannedBlocks> m_levels; ///< their steps were slowed down by the marks
    std::vector<PlannedBlocks> m_known; ///< every plan that an undisturbed step was simulated for
};

} // namespace headroom::collectors
