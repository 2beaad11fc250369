// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/Flux.h"

#include "core/config/models/FluxFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/blocks/FluxRotaryEmbedding.h"
#include "core/models/layers/Container.h"

namespace headroom::models {
namespace {

constexpr std::int64_t kFluxOutputVectors = 2;
// Time steps and guidance are given divided by this.
constexpr double kTimestepScale = 1000;
constexpr double kGuidance = 3.5;

std::shared_ptr<Linear> fluxLinear(std::int64_t in, std::int64_t out, const at::TensorOptions& options)
{
    return std::make_shared<Linear>(in, out, Bias::On, options);
}

// Older callers pass positions for each sample, which are all equal.
at::Tensor positions(const at::Tensor& ids)
{
    return ids.dim() == 3 ? ids.select(0, 0) : ids;
}

template <typename Block>
void addBlocks(torch::nn::Module& parent, const char* name, const config::ValueMap& fields, const char* count,
    const at::TensorOptions& options, std::vector<std::shared_ptr<Block>>& blocks)
{
    const auto list = parent.register_module(name, std::make_shared<Container>());
    for (std::int64_t index = 0; index < fields.at(count).integer(); ++index)
        blocks.push_back(list->register_module(std::to_string(index), std::make_shared<Block>(fields, options)));
}

// [tokens, 3]: 0, row, column.
at::Tensor imagePositions(const config::FluxGrid& grid, const at::TensorOptions& options)
{
    const auto axes = at::meshgrid({at::arange(grid.rows, options), at::arange(grid.columns, options)}, "ij");
    return at::stack({at::zeros_like(axes[0]), axes[0], axes[1]}, -1)
        .view({grid.tokens(), static_cast<std::int64_t>(config::kFluxAxes)});
}

} // namespace

FluxEmbedding::FluxEmbedding(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const std::int64_t width = config::fluxInnerWidth(fields);
    const auto embedder = [&](const char* name, std::int64_t in) {
        return register_module(name, std::make_shared<TimestepEmbedding>(in, width, options));
    };
    m_timestep = embedder("timestep_embedder", config::kFluxTimestepChannels);
    if (fields.at("guidance_embeds").boolean())
        m_guidance = embedder("guidance_embedder", config::kFluxTimestepChannels);
    m_text = embedder("text_embedder", fields.at("pooled_projection_dim").integer());
}

at::Tensor FluxEmbedding::forward(
    const at::Tensor& timestep, const at::Tensor& guidance, const at::Tensor& pooled) const
{
    const tensor::ModuleScope scope(*this);
    const at::ScalarType type = pooled.scalar_type();
    const at::Tensor timeWaves = sinusoids(timestep, config::kFluxTimestepChannels);
    const at::Tensor time = m_timestep->forward(timeWaves.to(type));
    if (!m_guidance)
        return time + m_text->forward(pooled);
    const at::Tensor guidanceWaves = sinusoids(guidance, config::kFluxTimestepChannels);
    const at::Tensor guided = m_guidance->forward(guidanceWaves.to(type));
    const at::Tensor sum = time + guided;
    return sum + m_text->forward(pooled);
}

Flux::Flux(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const std::int64_t width = config::fluxInnerWidth(fields);
    for (const config::Value& axis : fields.at("axes_dims_rope").list())
        m_axes.push_back(axis.integer());
    m_embedding = register_module("time_text_embed", std::make_shared<FluxEmbedding>(fields, options));
    m_embedText =
        register_module("context_embedder", fluxLinear(fields.at("joint_attention_dim").integer(), width, options));
    m_embedImage = register_module("x_embedder", fluxLinear(fields.at("in_channels").integer(), width, options));
    addBlocks(*this, "transformer_blocks", fields, "num_layers", options, m_doubleBlocks);
    std::vector<std::shared_ptr<FluxSingleBlock>> singleBlocks;
    addBlocks(*this, "single_transformer_blocks", fields, "num_single_layers", options, singleBlocks);
    m_blocks.assign(m_doubleBlocks.begin(), m_doubleBlocks.end());
    m_blocks.insert(m_blocks.end(), singleBlocks.begin(), singleBlocks.end());
    m_normOut = register_module("norm_out",
        std::make_shared<AdaptiveLayerNorm>(width, kFluxOutputVectors, ModulationOrder::ScaleShift, options));
    m_projectOut = register_module("proj_out", fluxLinear(width, config::fluxOutputWidth(fields), options));
}

at::Tensor Flux::forward(const Inputs& inputs)
{
    const tensor::ModuleScope scope(*this);
    FluxStreams streams;
    streams.image = m_embedImage->forward(inputs.at("hidden_states"));
    FluxBlockContext context;
    // Variables of upstream's forward, which hold them until it ends.
    const auto scaled = [&](const char* name) {
        return inputs.at(name).to(streams.image.scalar_type()) * kTimestepScale;
    };
    const at::Tensor timestep = scaled("timestep");
    const at::Tensor guidance = m_embedding->hasGuidance() ? scaled("guidance") : at::Tensor();
    context.embedding = m_embedding->forward(timestep, guidance, inputs.at("pooled_projections"));
    streams.text = m_embedText->forward(inputs.at("encoder_hidden_states"));
    const at::Tensor ids = at::cat({positions(inputs.at("txt_ids")), positions(inputs.at("img_ids"))}, 0);
    context.rotary = fluxRotaryTables(ids, m_axes);
    streams = runBlocks(std::move(streams), context);
    streams.image = m_normOut->forward(streams.image, context.embedding).normed;
    return m_projectOut->forward(streams.image);
}

FluxStreams Flux::runBlocks(FluxStreams streams, const FluxBlockContext& context)
{
    for (std::size_t index = 0; index < m_blocks.size(); ++index) {
        const auto forward = [block = m_blocks[index]](const std::vector<at::Tensor>& in) {
            const FluxStreams out = block->forward({in[0], in[1]}, {in[2], {in[3], in[4]}});
            return std::vector<at::Tensor>{out.image, out.text};
        };
        const auto outputs = runBlock(static_cast<std::int64_t>(index), forward,
            {streams.image, streams.text, context.embedding, context.rotary.cosines, context.rotary.sines});
        streams = {outputs[0], outputs[1]};
    }
    return streams;
}

std::vector<torch::nn::Module*> Flux::blocks()
{
    return modulesOf(m_blocks);
}

std::vector<FeedForward*> Flux::feedForwards()
{
    std::vector<FeedForward*> result;
    for (const auto& block : m_doubleBlocks) {
        result.push_back(&block->imageFeedForward());
        result.push_back(&block->textFeedForward());
    }
    return result;
}

Inputs fluxInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    const auto& shapes = configuration.workload.shapes;
    const auto& fields = configuration.modelFields;
    const config::FluxGrid grid = config::fluxGrid(shapes);
    const std::int64_t batch = shapes.at("batch").integer();
    const std::int64_t text = shapes.at("text_tokens").integer();
    const auto channels = [&](const char* name) { return fields.at(name).integer(); };
    const auto real = options.dtype(at::kFloat);
    Inputs inputs{
        {"hidden_states", at::randn({batch, grid.tokens(), channels("in_channels")}, options)},
        {"encoder_hidden_states", at::randn({batch, text, channels("joint_attention_dim")}, options)},
        {"pooled_projections", at::randn({batch, channels("pooled_projection_dim")}, options)},
        {"timestep", at::rand({batch}, options)},
        {"img_ids", imagePositions(grid, real)},
        {"txt_ids", at::zeros({text, static_cast<std::int64_t>(config::kFluxAxes)}, real)},
    };
    if (fields.at("guidance_embeds").boolean())
        inputs["guidance"] = at::full({batch}, kGuidance, real);
    return inputs;
}

} // namespace headroom::models
