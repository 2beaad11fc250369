// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/CheckpointNotation.h"
#include "core/planning/ChainSolver.h"
#include "core/techniques/checkpointing/Checkpointing.h"
#include "core/training/StepRunner.h"
#include "profiling/collectors/budget/MarkedBlocks.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "profiling/measurement/TrialModels.h"

#include <optional>

namespace headroom::collectors {

/// What each block of a model keeps.
using BlockPolicies = std::vector<config::BlockPolicy>;

/// The step of a trial on a simulated device without a limit, run again and again with other checkpointing of its
/// blocks, everything else as the trial has it.
class StepProbe {
public:
    /// Builds the model and runs a step, in which an optimizer makes its state and all is recomputed. The trial's
    /// checkpointing gives the options, and whether inputs go to the host.
    StepProbe(const config::Trial& trial, const simulator::SimulatedDevice& device);
    ~StepProbe();

    std::size_t blocks() const { return m_blocks; }

    MarkedStep run(const BlockPolicies& policies, IntervalTimes times);

    /// What autograd's thread keeps since it has recomputed a product with a bias, if it has: steps after that have it
    /// from their beginning to their end.
    Bytes recomputedLtBytes() const { return m_instruments.recomputedLtBytes(); }

    /// The next step is like a trial's first: nothing was recomputed yet, and the allocator has cached nothing.
    void begin();

    /// One more step, for the calls of each block whose results may be kept.
    SavableCalls surveyCalls();

private:
    std::unique_ptr<MarkedBlocks> blocksWith(const BlockPolicies& policies);
    MarkedStep step(std::unique_ptr<MarkedBlocks> execution, IntervalTimes times);

    config::Trial m_trial; ///< without checkpointing
    config::TechniqueSetting m_setting;
    bool m_offloads;
    SimulatedInstruments m_instruments;
    TrialModels m_models;
    std::size_t m_blocks = 0;
    std::unique_ptr<StepMarks> m_marks;
    std::unique_ptr<techniques::Checkpointing> m_checkpointing;
    std::unique_ptr<training::StepRunner> m_runner;
    std::int64_t m_step = 0;
};

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
