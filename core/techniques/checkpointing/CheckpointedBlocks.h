// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Block.h"
#include "core/recompute/CheckpointScope.h"
#include "core/techniques/checkpointing/BlockOps.h"

namespace headroom::techniques {

/// How a block is checkpointed.
struct BlockTreatment {
    bool isCheckpointed = false;
    std::shared_ptr<OpRule> ops = nullptr; ///< null: no results are kept
    std::vector<OperandShape> recomputedShapes = {}; ///< where `ops` is
};

/// How the blocks of a model are checkpointed.
struct BlockPlan {
    std::vector<BlockTreatment> blocks;
    tensor::EarlyStop earlyStop = tensor::EarlyStop::On;
    bool offloads = false; ///< inputs of blocks go to the host
};

/// What blocks have done, shared by the technique and the model's block execution; all of one step but `ops`, whose
/// entries say what the last forward of each block kept.
struct BlockCount {
    std::int64_t checkpointed = 0;
    std::int64_t recomputed = 0;
    std::vector<std::shared_ptr<BlockOpCount>> ops; ///< by block
    std::shared_ptr<tensor::InputOffload> offload; ///< made when the first block runs, where there is one
};

/// Runs blocks so that those of the plan are checkpointed. Without gradients every block runs plainly.
class CheckpointedBlocks final : public models::BlockExecution {
public:
    CheckpointedBlocks(BlockPlan plan, std::shared_ptr<BlockCount> count);

    std::vector<at::Tensor> run(
        std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs) override;
    std::string formOf(std::int64_t index) const override;

private:
    std::vector<at::Tensor> runBlock(
        std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs);
    std::unique_ptr<tensor::CheckpointScope> begin(
        std::int64_t index, const models::BlockForward& forward, const std::vector<at::Tensor>& inputs) const;
    tensor::CheckpointRegion regionOf(std::int64_t index, const models::BlockForward& forward) const;
    tensor::CheckpointOptions optionsOf(std::int64_t index) const;
    void lineUp(std::int64_t index, const std::vector<at::Tensor>& inputs);

    BlockPlan m_plan;
    std::shared_ptr<BlockCount> m_count;
    std::int64_t m_lastIndex = -1;
};

} // namespace headroom::techniques
