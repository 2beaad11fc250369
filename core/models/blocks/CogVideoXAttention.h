// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/models/layers/AttentionLayer.h"
#include "core/models/layers/LayerNorm.h"
#include "core/models/layers/Linear.h"
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {

/// Tokens of the video and of its text, [batch, tokens, width].
struct CogVideoXStreams {
    at::Tensor video;
    at::Tensor text;
};

/// Joint attention of text and video, with one set of projections for both; queries and keys are layer-normalised per
/// head.
///
/// Parameters: norm_q, norm_k (LayerNorm of [headDim]), to_q, to_k, to_v, to_out.0 (Linear).
class CogVideoXAttention : public torch::nn::Module, public AttentionLayer {
public:
    CogVideoXAttention(const config::ValueMap& fields, const at::TensorOptions& options);

    /// The tables [video tokens, channels] rotate queries and keys of the video; undefined: no rotation.
    CogVideoXStreams forward(const CogVideoXStreams& streams, const RotaryTables& rotary) const;

private:
    at::Tensor heads(const at::Tensor& projected) const;

    std::int64_t m_headDim;
    std::shared_ptr<LayerNorm> m_normQuery;
    std::shared_ptr<LayerNorm> m_normKey;
    std::shared_ptr<Linear> m_toQuery;
    std::shared_ptr<Linear> m_toKey;
    std::shared_ptr<Linear> m_toValue;
    std::shared_ptr<Linear> m_toOutput;
};

} // namespace headroom::models
