// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/models/layers/AttentionLayer.h"
#include "core/models/layers/Embedding.h"
#include "core/models/layers/FeedForward.h"
#include "core/models/layers/RmsNorm.h"

namespace headroom::models {

/// The bucket of (key - query) for each query and key, [queries, keys], integers, as `relative` is. Half of the buckets
/// are for keys before the query; in each half, half of the buckets are for single distances, and the others widen up
/// to `farthest`.
at::Tensor relativePositionBuckets(const at::Tensor& relative, std::int64_t buckets, std::int64_t farthest);

/// Hidden states [batch, tokens, d_model], and the bias of the attention that they went through.
struct BiasedStates {
    at::Tensor hidden;
    at::Tensor bias;
};

/// Attention without a scale, with a bias for each head and distance.
///
/// Parameters: q, k, v, o (Linear); in the first block relative_attention_bias.weight [buckets, heads].
class T5Attention : public torch::nn::Module, public AttentionLayer {
public:
    enum class PositionTable { None, Own };

    T5Attention(const config::ValueMap& fields, PositionTable table, const at::TensorOptions& options);

    /// If it has the table: [1, heads, tokens, tokens].
    at::Tensor positionBias(std::int64_t tokens, const c10::Device& device) const;

    /// hidden: [batch, tokens, d_model]; given: additive, broadcastable to [batch, heads, tokens, tokens], or undefined
    /// where the attention has the table: then it is made from that and the mask, which is additive or undefined.
    BiasedStates forward(const at::Tensor& hidden, const at::Tensor& given, const at::Tensor& mask) const;

private:
    at::Tensor maskedBias(const at::Tensor& hidden, const at::Tensor& mask) const;
    at::Tensor mergedHeads(AttentionInputs inputs) const;
    at::Tensor heads(const Linear& projection, const at::Tensor& hidden) const;

    std::int64_t m_headDim;
    std::int64_t m_farthest;
    double m_dropout;
    std::shared_ptr<Linear> m_query;
    std::shared_ptr<Linear> m_key;
    std::shared_ptr<Linear> m_value;
    std::shared_ptr<Linear> m_output;
    std::shared_ptr<Embedding> m_positions; ///< null: in another block
};

/// Attention, then feed-forward, each applied to the normalised hidden states and added to them.
///
/// Parameters: layer.0.SelfAttention, layer.0.layer_norm, layer.1.DenseReluDense.{wi_0,wi_1,wo}, layer.1.layer_norm.
class T5Block : public torch::nn::Module {
public:
    T5Block(const config::ValueMap& fields, T5Attention::PositionTable table, const at::TensorOptions& options);

    /// hidden: [batch, tokens, d_model]; bias: the first block's result, undefined for the first block itself; mask:
    /// additive [batch, 1, 1, tokens], or undefined, for the first block. Result: the hidden states, and from the first
    /// block the bias for all blocks, including the mask.
    std::vector<at::Tensor> forward(const at::Tensor& hidden, const at::Tensor& bias, const at::Tensor& mask) const;

    FeedForward& feedForward() { return *m_feedForward; }

private:
    BiasedStates attended(const at::Tensor& hidden, const at::Tensor& bias, const at::Tensor& mask) const;
    at::Tensor fed(const at::Tensor& hidden) const;

    double m_dropout;
    std::shared_ptr<T5Attention> m_attention;
    std::shared_ptr<RmsNorm> m_attentionNorm;
    std::shared_ptr<FeedForward> m_feedForward;
    std::shared_ptr<RmsNorm> m_feedForwardNorm;
};

/// The model's norm: over the hidden states, without a mean, with a weight.
std::shared_ptr<RmsNorm> t5Norm(const config::ValueMap& fields, const at::TensorOptions& options);

} // namespace headroom::models
