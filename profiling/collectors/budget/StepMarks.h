// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/training/StepObserver.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"

#include <vector>

namespace headroom::collectors {

/// A stretch of a step: allocated bytes when it began and at most, and how long it took.
struct MarkedInterval {
    Bytes begin = 0;
    Bytes peak = 0;
    double seconds = 0;
    bool isReached = false;
    bool recomputesLt = false; ///< a product with a bias, for which autograd's thread keeps a workspace from then on
};

/// One forward and backward. What a block's forward interval does not include: the time before the first block, and
/// after the last, which is the turn. The last backward interval lasts until the backward pass ends.
struct MarkedPass {
    std::vector<MarkedInterval> forward; ///< by block
    MarkedInterval turn; ///< from the last block's end to the first backward
    std::vector<MarkedInterval> backward; ///< by block; not reached where nothing before it is trained
};

/// A step by its intervals.
struct MarkedStep {
    std::vector<MarkedPass> passes; ///< one for each micro-step
    Bytes restPeak = 0; ///< outside of them
    double seconds = 0;
    bool recomputesLtElsewhere = false; ///< outside of the blocks' backwards

    Bytes peak() const;
    bool recomputesLt() const;
};

/// Whether intervals end when their work is done, so that they have a time of their own; a step then takes longer.
enum class IntervalTimes { Off, On };

/// Records a step's intervals as blocks begin forward and backward. Passes phases on to the instruments.
class StepMarks final : public training::StepObserver {
public:
    /// Borrowed.
    StepMarks(SimulatedInstruments& instruments, std::size_t blocks);

    void beginStep(IntervalTimes times);
    MarkedStep endStep();

    void forwardBegins(std::size_t block);
    void forwardEnds(std::size_t block);
    /// May be called again for a block whose backward has begun.
    void backwardBegins(std::size_t block);

    void phaseBegins(const std::string& phase, std::int64_t step) override;
    void phaseEnds(const std::string& phase, std::int64_t step) override;

private:
    void close();
    void open(MarkedInterval& interval);
    void openRest();
    double now();

    SimulatedInstruments& m_instruments;
    std::size_t m_blocks;
    IntervalTimes m_times = IntervalTimes::Off;
    MarkedStep m_step;
    MarkedInterval m_rest;
    MarkedInterval* m_open = nullptr;
    double m_opened = 0; ///< seconds, as `now`
    std::int64_t m_ltProducts = 0; ///< that were recomputed when it opened
    double m_began = 0;
    std::size_t m_lowestBackward = 0;
};

} // namespace headroom::collectors
