// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Block.h"
#include "core/techniques/checkpointing/BlockOps.h"
#include "profiling/collectors/budget/StepMarks.h"

#include <memory>

namespace headroom::collectors {

/// A call whose result a checkpointed block may keep.
struct SavableCall {
    Bytes bytes = 0; ///< of its results
    double seconds = 0;

    bool operator==(const SavableCall&) const = default;
};

/// The savable calls of each block, in order: what `ops:calls/LIST` counts.
using SavableCalls = std::vector<std::vector<SavableCall>>;

/// Runs blocks as another execution does, and marks where their forwards and backwards begin.
class MarkedBlocks final : public models::BlockExecution {
public:
    /// `marks` is borrowed, and outlives the graphs of the steps. `inner` may be null: blocks run plainly.
    MarkedBlocks(StepMarks& marks, std::unique_ptr<models::BlockExecution> inner);

    /// Blocks that run from now on have their savable calls noted: `calls` is borrowed, with an entry for each block;
    /// null ends it.
    void survey(std::shared_ptr<techniques::OpRule> rule, Instruments& instruments, SavableCalls* calls);

    std::vector<at::Tensor> run(
        std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs) override;

private:
    std::vector<at::Tensor> runInner(
        std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs);
    std::vector<at::Tensor> runSurveyed(
        std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs);

    StepMarks& m_marks;
    std::unique_ptr<models::BlockExecution> m_inner;
    std::shared_ptr<techniques::OpRule> m_rule;
    Instruments* m_instruments = nullptr;
    SavableCalls* m_calls = nullptr;
};

} // namespace headroom::collectors
