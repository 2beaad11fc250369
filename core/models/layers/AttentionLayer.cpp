// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/AttentionLayer.h"

namespace headroom::models {

at::Tensor scaledDotProductAttention(const AttentionInputs& inputs)
{
    const auto mask = inputs.mask.defined() ? std::optional(inputs.mask) : std::nullopt;
    return at::scaled_dot_product_attention(inputs.query, inputs.key, inputs.value, mask, inputs.dropout,
        inputs.causality == Causality::Causal, inputs.scale);
}

at::Tensor AttentionLayer::attend(const AttentionInputs& inputs) const
{
    return m_execution ? m_execution->run(inputs) : scaledDotProductAttention(inputs);
}

} // namespace headroom::models
