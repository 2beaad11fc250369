// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/models/blocks/FluxBlock.h"
#include "core/models/layers/TimestepEmbedding.h"

namespace headroom::models {

/// Sum of the embeddings of time step, guidance (where there is one) and pooled text: diffusers'
/// CombinedTimestepGuidanceTextProjEmbeddings. Parameters timestep_embedder, guidance_embedder, text_embedder.
class FluxEmbedding : public torch::nn::Module {
public:
    FluxEmbedding(const config::ValueMap& fields, const at::TensorOptions& options);

    bool hasGuidance() const { return m_guidance != nullptr; }

    /// timestep, guidance: [batch], guidance undefined if there is no embedding of it; pooled: [batch, pooled]. Result
    /// [batch, width].
    at::Tensor forward(const at::Tensor& timestep, const at::Tensor& guidance, const at::Tensor& pooled) const;

private:
    std::shared_ptr<TimestepEmbedding> m_timestep;
    std::shared_ptr<TimestepEmbedding> m_guidance;
    std::shared_ptr<TimestepEmbedding> m_text;
};

/// diffusers' FluxTransformer2DModel. Parameters have upstream's names.
///
/// Inputs: `hidden_states` [batch, tokens, in_channels] (packed), `encoder_hidden_states` [batch, text,
/// joint_attention_dim], `pooled_projections` [batch, pooled_projection_dim], `timestep` [batch] in 0..1, `img_ids`
/// [tokens, 3] (0, row, column), `txt_ids` [text, 3], `guidance` [batch] with guidance_embeds.
/// Output [batch, tokens, patch_size^2 * out_channels]. Blocks: the double ones, then the single ones.
class Flux : public Model {
public:
    Flux(const config::ValueMap& fields, const at::TensorOptions& options);

    at::Tensor forward(const Inputs& inputs) override;
    std::vector<FeedForward*> feedForwards() override;
    std::vector<torch::nn::Module*> blocks() override;

private:
    FluxStreams runBlocks(FluxStreams streams, const FluxBlockContext& context);

    std::vector<std::int64_t> m_axes;
    std::shared_ptr<FluxEmbedding> m_embedding;
    std::shared_ptr<Linear> m_embedText;
    std::shared_ptr<Linear> m_embedImage;
    std::vector<std::shared_ptr<FluxDoubleBlock>> m_doubleBlocks;
    std::vector<std::shared_ptr<FluxBlock>> m_blocks;
    std::shared_ptr<AdaptiveLayerNorm> m_normOut;
    std::shared_ptr<Linear> m_projectOut;
};

/// Random inputs of the workload's shapes; text tokens are at 0, the guidance is the pipeline's 3.5.
Inputs fluxInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
