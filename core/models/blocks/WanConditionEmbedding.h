// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/models/layers/TimestepEmbedding.h"

namespace headroom::models {

/// What the model is conditioned on; `batch...` is [batch], or [batch, tokens] if each token has a time step.
struct WanCondition {
    at::Tensor embedded; ///< [batch..., width]
    at::Tensor modulation; ///< [batch..., 6, width]
    at::Tensor text; ///< [batch, text, width]
};

/// diffusers' WanTimeTextImageEmbedding without images. Parameters time_embedder.linear_1, time_embedder.linear_2,
/// time_proj, text_embedder.linear_1, text_embedder.linear_2.
class WanConditionEmbedding : public torch::nn::Module {
public:
    /// `wide`: options of the time embedder, whose type may differ from the rest.
    WanConditionEmbedding(
        const config::ValueMap& fields, const at::TensorOptions& options, const at::TensorOptions& wide);

    /// timestep: [batch] or [batch, tokens], any type; text: [batch, text, text_dim].
    WanCondition forward(const at::Tensor& timestep, const at::Tensor& text) const;

private:
    at::Tensor wavesOf(const at::Tensor& timestep) const;

    std::int64_t m_channels;
    std::shared_ptr<TimestepEmbedding> m_timeEmbedder;
    std::shared_ptr<Linear> m_timeProjection;
    std::shared_ptr<TextProjection> m_textEmbedder;
};

} // namespace headroom::models
