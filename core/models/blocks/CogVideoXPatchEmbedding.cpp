// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/CogVideoXPatchEmbedding.h"

#include "core/memory/MemoryScopes.h"

namespace headroom::models {
namespace {

ConvolutionOptions patchOptions(const config::ValueMap& fields)
{
    const std::vector<std::int64_t> side(2, config::kCogVideoXPatch);
    return {.in = fields.at("in_channels").integer(),
        .out = config::cogVideoXInnerWidth(fields),
        .kernel = side,
        .stride = side,
        .bias = fields.at("patch_bias").boolean() ? Bias::On : Bias::Off};
}

config::CogVideoXLatent extentsOf(const at::Tensor& latent)
{
    return {latent.size(1), latent.size(3), latent.size(4)};
}

} // namespace

CogVideoXPatchEmbedding::CogVideoXPatchEmbedding(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_sample(config::cogVideoXSample(fields))
    , m_width(config::cogVideoXInnerWidth(fields))
    , m_textTokens(fields.at("max_text_seq_length").integer())
    , m_scale{fields.at("spatial_interpolation_scale").real(), fields.at("temporal_interpolation_scale").real()}
{
    m_project = register_module("proj", std::make_shared<Conv2d>(patchOptions(fields), options));
    m_projectText = register_module(
        "text_proj", std::make_shared<Linear>(fields.at("text_embed_dim").integer(), m_width, Bias::On, options));
    if (!fields.at("use_rotary_positional_embeddings").boolean())
        m_positions = register_buffer("pos_embedding", positionsOf(m_sample, options));
}

at::Tensor CogVideoXPatchEmbedding::forward(const at::Tensor& latent, const at::Tensor& text) const
{
    const tensor::ModuleScope scope(*this);
    const at::Tensor textTokens = m_projectText->forward(text);
    const at::Tensor videoTokens = patches(latent);
    const at::Tensor tokens = at::cat({textTokens, videoTokens}, 1);
    if (!m_positions.defined())
        return tokens;
    const config::CogVideoXLatent extents = extentsOf(latent);
    return tokens
        + (extents == m_sample ? m_positions : positionsOf(extents, tokens.options())).to(tokens.scalar_type());
}

// [batch, tokens, width], frame slowest.
at::Tensor CogVideoXPatchEmbedding::patches(const at::Tensor& latent) const
{
    at::Tensor projected = m_project->forward(latent.flatten(0, 1));
    projected = projected.unflatten(0, {latent.size(0), latent.size(1)});
    return projected.flatten(3).transpose(2, 3).flatten(1, 2);
}

// In float64, in which upstream computes and keeps them whatever the weights' format is (from_pretrained does not
// convert buffers).
at::Tensor CogVideoXPatchEmbedding::positionsOf(
    const config::CogVideoXLatent& latent, const at::TensorOptions& options) const
{
    return cogVideoXPositions(latent, m_textTokens, m_width, m_scale, options);
}

} // namespace headroom::models
