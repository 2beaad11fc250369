// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/models/blocks/LtxRotaryEmbedding.h"
#include "core/models/layers/Attention.h"
#include "core/models/layers/FeedForward.h"
#include "core/models/layers/Initialised.h"

namespace headroom::models {

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
