// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/models/blocks/FluxAttention.h"
#include "core/models/layers/AdaptiveLayerNorm.h"
#include "core/models/layers/FeedForward.h"

namespace headroom::models {

/// What every block of the model reads besides its streams.
struct FluxBlockContext {
    at::Tensor embedding; ///< of time step, guidance and pooled text together, [batch, width]
    RotaryTables rotary; ///< of the text's tokens, then the image's
};

/// A block of either kind.
class FluxBlock : public torch::nn::Module {
public:
    virtual FluxStreams forward(const FluxStreams& streams, const FluxBlockContext& context) const = 0;
};

/// Variables of upstream's forward of a double block, of its image or its text: each holds its tensor until it is
/// written again, or the block ends.
struct FluxStreamVariables {
    AdaptiveNormResult norm; ///< its vectors: gate of the attention; shift, scale and gate of the feed-forward
    at::Tensor gated; ///< the attention's result
    at::Tensor fed; ///< by the feed-forward, without its gate

    at::Tensor attentionGate() const { return norm.others[0].unsqueeze(1); }
    at::Tensor feedForwardGate() const { return norm.others[3].unsqueeze(1); }
};

/// What the image or the text of a double block passes through besides the attention.
struct FluxStream {
    std::shared_ptr<AdaptiveLayerNorm> norm;
    std::shared_ptr<FeedForward> feedForward;

    /// The stream with the gated attention added; `variables.fed` becomes the feed-forward of its modulated norm.
    at::Tensor forward(const at::Tensor& stream, const at::Tensor& attended, FluxStreamVariables& variables) const;
};

/// A stream of image and one of text that attend to each other and have separate feed-forwards.
///
/// Parameters: norm1.linear, norm1_context.linear, attn (FluxJointAttention), ff, ff_context (FeedForward).
class FluxDoubleBlock : public FluxBlock {
public:
    FluxDoubleBlock(const config::ValueMap& fields, const at::TensorOptions& options);

    FluxStreams forward(const FluxStreams& streams, const FluxBlockContext& context) const override;

    FeedForward& imageFeedForward() { return *m_image.feedForward; }
    FeedForward& textFeedForward() { return *m_text.feedForward; }

private:
    FluxStream m_image;
    FluxStream m_text;
    std::shared_ptr<FluxJointAttention> m_attention;
};

/// Both streams as one: attention and feed-forward in parallel, with one output projection.
///
/// Parameters: norm.linear, proj_mlp, proj_out (Linear), attn (FluxSingleAttention).
class FluxSingleBlock : public FluxBlock {
public:
    FluxSingleBlock(const config::ValueMap& fields, const at::TensorOptions& options);

    FluxStreams forward(const FluxStreams& streams, const FluxBlockContext& context) const override;

private:
    std::shared_ptr<AdaptiveLayerNorm> m_norm;
    std::shared_ptr<Linear> m_toInner;
    std::shared_ptr<Linear> m_toOutput;
    std::shared_ptr<FluxSingleAttention> m_attention;
};

} // namespace headroom::models
