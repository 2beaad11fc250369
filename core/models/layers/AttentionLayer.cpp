// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/AttentionLayer.h"

#include "core/autocast/AutocastRegion.h"

namespace headroom::models {
namespace {

// Casts in LibTorch's order. The op alone does not suffice: the kernel is selected by the cast inputs.
AttentionInputs autocastInputs(const AttentionInputs& inputs)
{
    AttentionInputs cast = inputs;
    cast.mask = tensor::autocastInput(inputs.mask);
    cast.value = tensor::autocastInput(inputs.value);
    cast.key = tensor::autocastInput(inputs.key);
    cast.query = tensor::autocastInput(inputs.query);
    return cast;
}

} // namespace

at::Tensor scaledDotProductAttention(const AttentionInputs& inputs)
{
    const auto mask = inputs.mask.defined() ? std::optional(inputs.mask) : std::nullopt;
    return at::scaled_dot_product_attention(inputs.query, inputs.key, inputs.value, mask, inputs.dropout,
        inputs.causality == Causality::Causal, inputs.scale, inputs.heads == KeyHeads::Shared);
}

at::Tensor AttentionLayer::attend(const AttentionInputs& inputs) const
{
    const AttentionInputs cast = autocastInputs(inputs);
    return m_execution ? m_execution->run(cast) : scaledDotProductAttention(cast);
}

} // namespace headroom::models
