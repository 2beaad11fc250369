// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/CheckpointNotation.h"
#include "core/techniques/checkpointing/Checkpointing.h"
#include "core/training/StepRunner.h"
#include "profiling/collectors/budget/MarkedBlocks.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "profiling/measurement/TrialModels.h"

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

} // namespace headroom::collectors
