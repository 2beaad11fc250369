// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/models/layers/Attention.h"
#include "core/models/layers/FeedForward.h"
#include "core/models/layers/Fp32LayerNorm.h"
#include "core/models/layers/Initialised.h"

namespace headroom::models {

/// What every block of the model reads besides its hidden states.
struct WanBlockContext {
    at::Tensor text; ///< [batch, text, width]
    at::Tensor modulation; ///< [batch, 6, width] or [batch, tokens, 6, width]
    RotaryTables rotary; ///< [1, tokens, 1, channels of a head]
};

/// norm(hidden) * (1 + scale) + shift, computed in float32, returned in the type of `hidden`.
at::Tensor modulated(
    const Fp32LayerNorm& norm, const at::Tensor& hidden, const at::Tensor& shift, const at::Tensor& scale);

/// One transformer block: self-attention with rotary embedding, attention to the text, feed-forward; the first and the
/// last are modulated and gated by the time step. Norms, modulation and gated sums are computed in float32.
///
/// Parameters: scale_shift_table [1, 6, width]; attn1, attn2, ffn; norm2.weight and norm2.bias, for the norm before
/// attn2, if it has any.
class WanBlock : public torch::nn::Module, public Initialised {
public:
    /// `wide`: options of the table and the norm, whose type may differ from the rest.
    WanBlock(const config::ValueMap& fields, const at::TensorOptions& options, const at::TensorOptions& wide);

    /// hidden and result: [batch, tokens, width].
    at::Tensor forward(at::Tensor hidden, const WanBlockContext& context) const;

    /// The table is initialised as standard normal, scaled by 1 / sqrt(width).
    void initialise() override;

    FeedForward& feedForward() { return *m_feedForward; }

private:
    at::Tensor textNormed(const at::Tensor& hidden) const;

    at::Tensor m_table;
    std::shared_ptr<Fp32LayerNorm> m_norm1;
    std::shared_ptr<Attention> m_selfAttention;
    std::shared_ptr<Attention> m_textAttention;
    std::shared_ptr<Fp32LayerNorm> m_norm2; ///< null: none
    std::shared_ptr<FeedForward> m_feedForward;
    std::shared_ptr<Fp32LayerNorm> m_norm3;
};

} // namespace headroom::models
