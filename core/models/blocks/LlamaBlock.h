// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/models/layers/AttentionLayer.h"
#include "core/models/layers/FeedForward.h"
#include "core/models/layers/RmsNorm.h"
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {

/// What every block of the model reads besides its hidden states.
struct LlamaBlockContext {
    RotaryTables rotary; ///< [batch or 1, 1, tokens, channels of a head]
    at::Tensor mask; ///< [batch, 1, tokens, tokens], true: keep; undefined: causal
};

/// Causal attention with rotary embedding, in which each key and value head serves several query heads.
///
/// Parameters: q_proj, k_proj, v_proj, o_proj (Linear); or qkv_proj in place of the first three.
class LlamaAttention : public torch::nn::Module, public AttentionLayer {
public:
    LlamaAttention(const config::ValueMap& fields, const at::TensorOptions& options);

    /// hidden and result: [batch, tokens, hidden_size].
    at::Tensor forward(const at::Tensor& hidden, const LlamaBlockContext& context) const;

private:
    struct Projections {
        at::Tensor query, key, value; ///< [batch, heads, tokens, channels of a head]
    };

    Projections project(const at::Tensor& hidden) const;
    at::Tensor heads(const at::Tensor& projected) const;
    KeyHeads keyHeads(const LlamaBlockContext& context) const;
    at::Tensor repeated(const at::Tensor& tensor) const;

    std::int64_t m_headDim;
    std::int64_t m_queriesPerKey;
    bool m_repeats;
    std::vector<std::int64_t> m_widths; ///< of queries, keys and values
    std::shared_ptr<Linear> m_fused; ///< in place of the next three
    std::shared_ptr<Linear> m_query;
    std::shared_ptr<Linear> m_key;
    std::shared_ptr<Linear> m_value;
    std::shared_ptr<Linear> m_output;
};

/// One decoder block: attention, then feed-forward, each applied to the normalised hidden states and added to them.
///
/// Parameters: self_attn, mlp.{gate,up,down}_proj, input_layernorm.weight, post_attention_layernorm.weight.
class LlamaBlock : public torch::nn::Module {
public:
    LlamaBlock(const config::ValueMap& fields, const at::TensorOptions& options);

    /// hidden and result: [batch, tokens, hidden_size].
    at::Tensor forward(const at::Tensor& hidden, const LlamaBlockContext& context) const;

    FeedForward& feedForward() { return *m_feedForward; }

private:
    at::Tensor attended(const at::Tensor& hidden, const LlamaBlockContext& context) const;
    at::Tensor fed(const at::Tensor& hidden) const;

    std::shared_ptr<LlamaAttention> m_attention;
    std::shared_ptr<FeedForward> m_feedForward;
    std::shared_ptr<RmsNorm> m_attentionNorm;
    std::shared_ptr<RmsNorm> m_feedForwardNorm;
};

/// The model's norm: over the hidden states, with a weight.
std::shared_ptr<RmsNorm> llamaNorm(const config::ValueMap& fields, const at::TensorOptions& options);

/// Gives every Linear below the module upstream's initialisation: normal weights.
void startLinearsNormal(torch::nn::Module& module, double deviation);

} // namespace headroom::models
