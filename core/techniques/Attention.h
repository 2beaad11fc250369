// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/AttentionDescriptor.h"
#include "core/techniques/Technique.h"

#include <array>
#include <memory>

namespace headroom::techniques {

/// One step's calls of attention by kernel, shared by the technique and the layers.
struct AttentionCalls {
    std::array<std::int64_t, 4> byKernel{}; ///< in the order of config::attentionKernels()
};

/// Attention by one kernel where it can, else by the one that LibTorch would choose. Counts what ran, with `auto` too,
/// repetitions for a backward pass included.
class Attention final : public Technique {
public:
    explicit Attention(const config::TechniqueSetting& setting);

    StepHooks apply(models::Model& model) override;
    Counters counters() const override;
    std::string effective() const override;
    bool countRepeated(const RepeatedBlock& block) override;

private:
    std::optional<config::AttentionKernel> m_wanted;
    std::shared_ptr<AttentionCalls> m_calls;
    std::int64_t m_layers = 0;
};

} // namespace headroom::techniques
