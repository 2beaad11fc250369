// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/models/blocks/CogVideoXBlock.h"
#include "core/models/blocks/CogVideoXPatchEmbedding.h"
#include "core/models/layers/TimestepEmbedding.h"

namespace headroom::models {

/// The last norm, scaled and shifted by vectors that a Linear computes from the SiLU of the embedding. Parameters:
/// linear, norm.
class CogVideoXOutputNorm : public torch::nn::Module {
public:
    CogVideoXOutputNorm(const config::ValueMap& fields, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& video, const at::Tensor& embedding) const;

private:
    std::shared_ptr<Linear> m_linear;
    std::shared_ptr<LayerNorm> m_norm;
};

/// diffusers' CogVideoXTransformer3DModel, version 1.0, text to video. Parameters have upstream's names.
///
/// Inputs: `hidden_states` [batch, frames, in_channels, height, width] (latent), `encoder_hidden_states` [batch, text,
/// text_embed_dim], `timestep` [batch], optional `image_rotary_emb.0` and `.1` [tokens, attention_head_dim] (cosines
/// and sines; computed for the latent's extents if they are left out and the model has a rotary embedding). Output
/// [batch, frames, out_channels, height, width].
class CogVideoX : public Model {
public:
    CogVideoX(const config::ValueMap& fields, const at::TensorOptions& options);

    at::Tensor forward(const Inputs& inputs) override;
    std::vector<FeedForward*> feedForwards() override;
    std::vector<torch::nn::Module*> blocks() override;

private:
    at::Tensor timeWaves(const at::Tensor& timestep) const;
    RotaryTables rotaryTables(const Inputs& inputs) const;
    CogVideoXStreams runBlocks(CogVideoXStreams streams, const CogVideoXContext& context);

    config::ValueMap m_fields;
    std::shared_ptr<CogVideoXPatchEmbedding> m_patches;
    std::shared_ptr<TimestepEmbedding> m_timeEmbedding;
    std::vector<std::shared_ptr<CogVideoXBlock>> m_blocks;
    std::shared_ptr<LayerNorm> m_normFinal;
    std::shared_ptr<CogVideoXOutputNorm> m_normOut;
    std::shared_ptr<Linear> m_projectOut;
};

/// Random inputs of the workload's shapes, rotary tables as the pipeline makes them.
Inputs cogVideoXInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
