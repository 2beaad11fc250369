// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/AttentionLayer.h"
#include "core/models/layers/Linear.h"
#include "core/models/layers/RmsNorm.h"
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {

/// A stream of image tokens and one of text tokens, [batch, tokens, width].
struct FluxStreams {
    at::Tensor image;
    at::Tensor text;
};

struct FluxAttentionOptions {
    std::int64_t width = 0;
    std::int64_t heads = 0;
    std::int64_t headDim = 0;
    double normEps = 1e-6;
};

/// Projections of one stream to queries, keys and values, and the norms of queries and keys, per head.
struct FluxProjections {
    std::shared_ptr<Linear> query;
    std::shared_ptr<Linear> key;
    std::shared_ptr<Linear> value;
    std::shared_ptr<RmsNorm> normQuery;
    std::shared_ptr<RmsNorm> normKey;
};

/// Attention of a single block: all tokens in one stream, without an output projection.
///
/// Parameters: to_q, to_k, to_v (Linear), norm_q, norm_k (RmsNorm with weight [headDim]).
class FluxSingleAttention : public torch::nn::Module, public AttentionLayer {
public:
    FluxSingleAttention(const FluxAttentionOptions& options, const at::TensorOptions& tensorOptions);

    /// tokens and result: [batch, tokens, width]; the tables rotate queries and keys.
    at::Tensor forward(const at::Tensor& tokens, const RotaryTables& rotary) const;

private:
    FluxAttentionOptions m_options;
    FluxProjections m_projections;
};

/// Attention of a double block: image and text have separate projections and attend to each other, the text first.
///
/// Parameters: those of FluxSingleAttention for the image, with to_out.0; for the text add_q_proj, add_k_proj,
/// add_v_proj, norm_added_q, norm_added_k and to_add_out.
class FluxJointAttention : public torch::nn::Module, public AttentionLayer {
public:
    FluxJointAttention(const FluxAttentionOptions& options, const at::TensorOptions& tensorOptions);

    /// The tables rotate queries and keys of the text, then those of the image.
    FluxStreams forward(const FluxStreams& streams, const RotaryTables& rotary) const;

private:
    FluxStreams projected(const at::Tensor& attended, std::int64_t textTokens) const;

    FluxAttentionOptions m_options;
    FluxProjections m_image;
    FluxProjections m_text;
    std::shared_ptr<Linear> m_toOutput;
    std::shared_ptr<Linear> m_toTextOutput;
};

} // namespace headroom::models
