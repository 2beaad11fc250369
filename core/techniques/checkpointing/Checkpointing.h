// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/CheckpointingDescriptor.h"
#include "core/techniques/Technique.h"
#include "core/techniques/checkpointing/CheckpointedBlocks.h"

#include <memory>

namespace headroom::techniques {

/// Blocks that keep their inputs and run again in the backward pass; which ones, a policy on the block's number says.
/// With `ops` they keep the results of expensive ops too, with `+offload` their inputs wait in host memory. Without
/// gradients every block runs plainly.
class Checkpointing final : public Technique {
public:
    explicit Checkpointing(const config::TechniqueSetting& setting);

    /// Throws UsageError when `force_recompute` names what is no linear layer of the model's blocks.
    StepHooks apply(models::Model& model) override;
    Counters counters() const override;
    /// What `ops` keeps is known once a forward has run.
    std::string effective() const override;
    bool countRepeated(const RepeatedBlock& block) override;

private:
    void clearCounts();
    BlockPlan planFor(models::Model& model);
    std::shared_ptr<OpRule> ruleFor(const config::BlockPolicy& policy, const BlockPlan& plan) const;
    bool keepsResults() const;
    std::string keptText() const;
    std::string keptTextOf(const config::BlockList& blocks) const;

    config::CheckpointPolicy m_policy;
    config::CheckpointOpOptions m_options;
    std::shared_ptr<BlockCount> m_count;
    std::vector<config::BlockPolicy> m_blocks; ///< of the model it was applied to
    std::string m_recomputedLayers; ///< in words
};

} // namespace headroom::techniques
