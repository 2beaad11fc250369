// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/blocks/CogVideoXAttention.h"
#include "core/models/blocks/CogVideoXPositions.h"
#include "core/models/layers/Convolution.h"

namespace headroom::models {

/// Turns text and patches of a latent video into tokens, the text first; adds positions if the model has no rotary
/// embedding.
///
/// Parameters: proj (Conv2d), text_proj (Linear). Buffer: pos_embedding [1, text + tokens, width] for the sample's
/// extents; not in a model's files.
class CogVideoXPatchEmbedding : public torch::nn::Module {
public:
    CogVideoXPatchEmbedding(const config::ValueMap& fields, const at::TensorOptions& options);

    /// latent [batch, frames, channels, height, width], text [batch, text, channels]; result [batch, text + tokens,
    /// width].
    at::Tensor forward(const at::Tensor& latent, const at::Tensor& text) const;

private:
    at::Tensor patches(const at::Tensor& latent) const;
    at::Tensor positionsOf(const config::CogVideoXLatent& latent, const at::TensorOptions& options) const;

    config::CogVideoXLatent m_sample;
    std::int64_t m_width;
    std::int64_t m_textTokens;
    CogVideoXPositionScale m_scale;
    std::shared_ptr<Conv2d> m_project;
    std::shared_ptr<Linear> m_projectText;
    at::Tensor m_positions;
};

} // namespace headroom::models
