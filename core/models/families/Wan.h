// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/models/blocks/WanBlock.h"
#include "core/models/blocks/WanConditionEmbedding.h"
#include "core/models/blocks/WanRotaryEmbedding.h"
#include "core/models/layers/Convolution.h"

namespace headroom::models {

/// diffusers' WanTransformer3DModel for text to video. Parameters have upstream's names.
///
/// Inputs: `hidden_states` [batch, in_channels, frames, height, width] (latent), `encoder_hidden_states`
/// [batch, text, text_dim], `timestep` [batch] or [batch, tokens]. Output [batch, out_channels, frames, height, width].
///
/// In bfloat16 and float16 the time embedder, the tables, the blocks' norms and the rotary tables are in float32, as
/// upstream loads them (_keep_in_fp32_modules), unless the field keep_in_fp32_modules says otherwise.
class Wan : public Model, public Initialised {
public:
    Wan(const config::ValueMap& fields, const at::TensorOptions& options);

    at::Tensor forward(const Inputs& inputs) override;
    std::vector<FeedForward*> feedForwards() override;
    std::vector<torch::nn::Module*> blocks() override;

    /// The top table is initialised as standard normal, scaled by 1 / sqrt(width).
    void initialise() override;

private:
    TokenGrid gridOf(const at::Tensor& latents) const;
    at::Tensor runBlocks(at::Tensor hidden, const WanBlockContext& context);
    std::vector<at::Tensor> outputRows(const at::Tensor& embedded) const;
    at::Tensor latentsOf(const at::Tensor& tokens, const TokenGrid& grid) const;

    std::int64_t m_width;
    TokenGrid m_patch;
    at::Tensor m_table;
    std::shared_ptr<WanRotaryEmbedding> m_rotary;
    std::shared_ptr<Conv3d> m_patchEmbedding;
    std::shared_ptr<WanConditionEmbedding> m_condition;
    std::vector<std::shared_ptr<WanBlock>> m_blocks;
    std::shared_ptr<Fp32LayerNorm> m_normOut;
    std::shared_ptr<Linear> m_projectOut;
};

/// Random inputs of the workload's shapes, integer time steps.
Inputs wanInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
