// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/Checkpointing.h"
#include "core/techniques/Technique.h"

#include <memory>

namespace headroom::techniques {

/// One step's count of blocks, shared by the technique and the model's block execution.
struct BlockCount {
    std::int64_t checkpointed = 0;
    std::int64_t recomputed = 0;
};

/// Blocks that keep their inputs only and run again in the backward pass; which ones, a policy on the block's number
/// says. Without gradients every block runs plainly.
class Checkpointing final : public Technique {
public:
    explicit Checkpointing(const config::TechniqueSetting& setting);

    void apply(models::Model& model) override;
    void beginStep() override;
    Counters counters() const override;
    std::string effective() const override;

private:
    config::CheckpointPolicy m_policy;
    std::shared_ptr<BlockCount> m_count;
    std::vector<bool> m_checkpointed; ///< of the model it was applied to, by block
};

} // namespace headroom::techniques
