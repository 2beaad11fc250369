// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/models/CogVideoXFamily.h"
#include "core/models/blocks/CogVideoXAttention.h"
#include "core/models/layers/Convolution.h"
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {

/// Rotary tables [tokens, channels] of a latent video in a model made for `sample`: a quarter of the channels encodes
/// the frame, three eighths each row and column; angle j of an axis of width d is position * 10000^(-2j / d), all in
/// float32, each twice. Rows and columns are scaled to the part of the sample's grid that has the video's aspect ratio:
/// at the sample's size they are integers.
RotaryTables cogVideoXRotaryTables(const config::CogVideoXLatent& latent, const config::CogVideoXLatent& sample,
    std::int64_t channels, const at::TensorOptions& options);

struct CogVideoXPositionScale {
    double space = 1; ///< divides rows and columns
    double time = 1; ///< divides frames
};

/// Positions that are added to tokens, [1, text + tokens, width], float64: zero for the text; for the video a quarter
/// of the channels encodes the frame, three eighths each column and row, as sines and cosines of position * 10000^(-j /
/// (d / 2)).
at::Tensor cogVideoXPositions(const config::CogVideoXLatent& latent, std::int64_t textTokens, std::int64_t width,
    const CogVideoXPositionScale& scale, const at::TensorOptions& options);

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
