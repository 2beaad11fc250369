// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/config/models/LtxVideoFamily.h"
#include "core/models/layers/Attention.h"
#include "core/models/layers/FeedForward.h"
#include "core/models/layers/Initialised.h"
#include "core/models/layers/RotaryEmbedding.h"

#include <array>
#include <optional>

namespace headroom::models {

/// Scales of the grid's axes: frames, height, width.
using GridScale = std::array<double, 3>;

/// Positions of the latent tokens: integer grid coordinates, frame slowest; [batch, tokens, 3] float32.
///
/// With a scale s: f * s[0] * patchTime / 20, h * s[1] * patch / 2048, w * s[2] * patch / 2048. Without one the
/// integers are unchanged.
struct GridOptions {
    std::int64_t patch = 1;
    std::int64_t patchTime = 1;
    std::optional<GridScale> scale;
};

at::Tensor latentGrid(
    const config::LtxLatent& latent, std::int64_t batch, const GridOptions& grid, const at::TensorOptions& options);

/// The same for given coordinates [batch, 3, tokens]: f / 20, h / 2048, w / 2048.
at::Tensor gridOfCoordinates(const at::Tensor& coordinates);

/// Tables [batch, tokens, width] of a grid. With n = width / 6: angle (j, axis) = 10000^(j / (n - 1)) * pi / 2
/// * (2 * coordinate - 1), axis fastest, each twice; width mod 6 entries of cosine 1 and sine 0 in front.
RotaryTables ltxRotaryTables(const at::Tensor& grid, std::int64_t width);

/// What every block of the model reads besides its hidden states.
struct LtxBlockContext {
    at::Tensor text; ///< [batch, text, width]
    at::Tensor modulation; ///< [batch, 1 or tokens, 6 * width]
    RotaryTables rotary; ///< [batch, tokens, width]
    at::Tensor mask; ///< additive, [batch, 1, text], or undefined
};

/// One transformer block: self-attention with rotary embedding, attention to the text, feed-forward; the first and the
/// last are modulated by the time step.
///
/// Parameters: scale_shift_table [6, width]; attn1, attn2, ff; norm1.weight and norm2.weight if the norms are affine.
class LtxVideoBlock : public torch::nn::Module, public Initialised {
public:
    LtxVideoBlock(const config::ValueMap& fields, const at::TensorOptions& options);

    /// hidden and result: [batch, tokens, width].
    at::Tensor forward(const at::Tensor& hidden, const LtxBlockContext& context) const;

    /// The table is initialised as standard normal, scaled by 1 / sqrt(width).
    void initialise() override;

    FeedForward& feedForward() { return *m_feedForward; }

private:
    at::Tensor m_table;
    std::shared_ptr<RmsNorm> m_norm1;
    std::shared_ptr<Attention> m_selfAttention;
    std::shared_ptr<RmsNorm> m_norm2;
    std::shared_ptr<Attention> m_textAttention;
    std::shared_ptr<FeedForward> m_feedForward;
};

} // namespace headroom::models
