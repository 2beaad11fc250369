// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/blocks/CogVideoXAttention.h"
#include "core/models/layers/FeedForward.h"

namespace headroom::models {

/// What every block of the model reads besides its streams.
struct CogVideoXContext {
    at::Tensor embedding; ///< of the time step, [batch, time_embed_dim]
    RotaryTables rotary; ///< of the video's tokens, or undefined
};

/// One layer norm for both streams, each scaled and shifted by its own vectors, which a Linear computes from the SiLU
/// of the embedding. Parameters: linear, norm (LayerNorm).
class CogVideoXNorm : public torch::nn::Module {
public:
    CogVideoXNorm(const config::ValueMap& fields, const at::TensorOptions& options);

    struct Result {
        CogVideoXStreams normed;
        CogVideoXStreams gates; ///< [batch, 1, width]
    };

    Result forward(const CogVideoXStreams& streams, const at::Tensor& embedding) const;

private:
    std::shared_ptr<Linear> m_linear;
    std::shared_ptr<LayerNorm> m_norm;
};

/// Attention and feed-forward over text and video together, modulated and gated separately for each.
///
/// Parameters: norm1, norm2 (CogVideoXNorm), attn1 (CogVideoXAttention), ff (FeedForward).
class CogVideoXBlock : public torch::nn::Module {
public:
    CogVideoXBlock(const config::ValueMap& fields, const at::TensorOptions& options);

    CogVideoXStreams forward(const CogVideoXStreams& streams, const CogVideoXContext& context) const;

    FeedForward& feedForward() { return *m_feedForward; }

private:
    at::Tensor fedForward(CogVideoXStreams& normed) const;

    double m_dropout;
    std::shared_ptr<CogVideoXNorm> m_norm1;
    std::shared_ptr<CogVideoXAttention> m_attention;
    std::shared_ptr<CogVideoXNorm> m_norm2;
    std::shared_ptr<FeedForward> m_feedForward;
};

} // namespace headroom::models
