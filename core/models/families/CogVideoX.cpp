// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/CogVideoX.h"

#include "core/memory/MemoryScopes.h"
#include "core/models/layers/AdaptiveLayerNorm.h"
#include "core/models/layers/Container.h"

namespace headroom::models {
namespace {

constexpr std::int64_t kCogVideoXOutputVectors = 2;
constexpr std::int64_t kCogVideoXTimestepRange = 1000;
constexpr const char* kCosines = "image_rotary_emb.0";
constexpr const char* kSines = "image_rotary_emb.1";

std::shared_ptr<LayerNorm> cogVideoXNorm(const config::ValueMap& fields, const at::TensorOptions& options)
{
    return std::make_shared<LayerNorm>(config::cogVideoXInnerWidth(fields), fields.at("norm_eps").real(),
        fields.at("norm_elementwise_affine").boolean() ? Affine::On : Affine::Off, options);
}

bool isRotary(const config::ValueMap& fields)
{
    return fields.at("use_rotary_positional_embeddings").boolean();
}

RotaryTables tablesOf(
    const config::ValueMap& fields, const config::CogVideoXLatent& latent, const at::TensorOptions& options)
{
    return cogVideoXRotaryTables(
        latent, config::cogVideoXSample(fields), fields.at("attention_head_dim").integer(), options);
}

// Converts tokens [batch, frames * rows * columns, channels * patch * patch] back to [batch, frames, channels, height,
// width].
at::Tensor unpatched(const at::Tensor& tokens, const config::CogVideoXLatent& latent)
{
    const std::int64_t side = config::kCogVideoXPatch;
    return tokens.reshape({tokens.size(0), latent.frames, latent.rows(), latent.columns(), -1, side, side})
        .permute({0, 1, 4, 2, 5, 3, 6})
        .flatten(5, 6)
        .flatten(3, 4);
}

} // namespace

CogVideoXOutputNorm::CogVideoXOutputNorm(const config::ValueMap& fields, const at::TensorOptions& options)
{
    m_linear = register_module("linear",
        std::make_shared<Linear>(fields.at("time_embed_dim").integer(),
            kCogVideoXOutputVectors * config::cogVideoXInnerWidth(fields), Bias::On, options));
    m_norm = register_module("norm", cogVideoXNorm(fields, options));
}

// Order of the vectors: shift, scale.
at::Tensor CogVideoXOutputNorm::forward(const at::Tensor& video, const at::Tensor& embedding) const
{
    const tensor::ModuleScope scope(*this);
    const auto vectors = m_linear->forward(at::silu(embedding)).chunk(kCogVideoXOutputVectors, 1);
    return modulated(m_norm->forward(video), vectors[1], vectors[0]);
}

CogVideoX::CogVideoX(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_fields(fields)
{
    const std::int64_t width = config::cogVideoXInnerWidth(fields);
    const std::int64_t patch = config::kCogVideoXPatch * config::kCogVideoXPatch;
    m_patches = register_module("patch_embed", std::make_shared<CogVideoXPatchEmbedding>(fields, options));
    m_timeEmbedding = register_module(
        "time_embedding", std::make_shared<TimestepEmbedding>(width, fields.at("time_embed_dim").integer(), options));
    const auto blocks = register_module("transformer_blocks", std::make_shared<Container>());
    for (std::int64_t index = 0; index < fields.at("num_layers").integer(); ++index)
        m_blocks.push_back(
            blocks->register_module(std::to_string(index), std::make_shared<CogVideoXBlock>(fields, options)));
    m_normFinal = register_module("norm_final", cogVideoXNorm(fields, options));
    m_normOut = register_module("norm_out", std::make_shared<CogVideoXOutputNorm>(fields, options));
    m_projectOut = register_module(
        "proj_out", std::make_shared<Linear>(width, patch * fields.at("out_channels").integer(), Bias::On, options));
}

at::Tensor CogVideoX::forward(const Inputs& inputs)
{
    const tensor::ModuleScope scope(*this);
    const at::Tensor& latent = inputs.at("hidden_states");
    const at::Tensor& text = inputs.at("encoder_hidden_states");
    CogVideoXContext context;
    context.rotary = rotaryTables(inputs);
    // A variable of upstream's forward, which holds it until it ends.
    const at::Tensor waves = timeWaves(inputs.at("timestep")).to(latent.scalar_type());
    context.embedding = m_timeEmbedding->forward(waves);
    at::Tensor tokens = m_patches->forward(latent, text);
    tokens = at::dropout(tokens, m_fields.at("dropout").real(), is_training());
    CogVideoXStreams streams{tokens.slice(1, text.size(1)), tokens.slice(1, 0, text.size(1))};
    tokens.reset();
    streams = runBlocks(std::move(streams), context);
    streams.video = m_normFinal->forward(streams.video);
    streams.video = m_normOut->forward(streams.video, context.embedding);
    streams.video = m_projectOut->forward(streams.video);
    return unpatched(streams.video, {latent.size(1), latent.size(3), latent.size(4)});
}

at::Tensor CogVideoX::timeWaves(const at::Tensor& timestep) const
{
    const bool isFlipped = m_fields.at("flip_sin_to_cos").boolean();
    return sinusoids(timestep, config::cogVideoXInnerWidth(m_fields), m_fields.at("freq_shift").integer(),
        isFlipped ? SinusoidOrder::CosinesFirst : SinusoidOrder::SinesFirst);
}

RotaryTables CogVideoX::rotaryTables(const Inputs& inputs) const
{
    if (inputs.contains(kCosines))
        return {inputs.at(kCosines), inputs.at(kSines)};
    if (!isRotary(m_fields))
        return {};
    const at::Tensor& latent = inputs.at("hidden_states");
    return tablesOf(m_fields, {latent.size(1), latent.size(3), latent.size(4)}, latent.options());
}

CogVideoXStreams CogVideoX::runBlocks(CogVideoXStreams streams, const CogVideoXContext& context)
{
    for (std::size_t index = 0; index < m_blocks.size(); ++index) {
        const auto forward = [block = m_blocks[index]](const std::vector<at::Tensor>& in) {
            const CogVideoXStreams out = block->forward({in[0], in[1]}, {in[2], {in[3], in[4]}});
            return std::vector<at::Tensor>{out.video, out.text};
        };
        const auto outputs = runBlock(static_cast<std::int64_t>(index), forward,
            {streams.video, streams.text, context.embedding, context.rotary.cosines, context.rotary.sines});
        streams = {outputs[0], outputs[1]};
    }
    return streams;
}

std::vector<torch::nn::Module*> CogVideoX::blocks()
{
    return modulesOf(m_blocks);
}

std::vector<FeedForward*> CogVideoX::feedForwards()
{
    return feedForwardsOf(m_blocks);
}

Inputs cogVideoXInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    const auto& shapes = configuration.workload.shapes;
    const auto& fields = configuration.modelFields;
    const config::CogVideoXLatent latent = config::cogVideoXLatent(shapes);
    const std::int64_t batch = shapes.at("batch").integer();
    const std::int64_t text = shapes.at("text_tokens").integer();
    Inputs inputs{
        {"hidden_states",
            at::randn(
                {batch, latent.frames, fields.at("in_channels").integer(), latent.height, latent.width}, options)},
        {"encoder_hidden_states", at::randn({batch, text, fields.at("text_embed_dim").integer()}, options)},
        {"timestep", at::randint(kCogVideoXTimestepRange, {batch}, options.dtype(at::kLong))},
    };
    if (!isRotary(fields))
        return inputs;
    const RotaryTables rotary = tablesOf(fields, latent, options);
    inputs[kCosines] = rotary.cosines;
    inputs[kSines] = rotary.sines;
    return inputs;
}

} // namespace headroom::models
