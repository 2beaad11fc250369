// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/Wan.h"

#include "core/config/models/WanFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/Container.h"
#include "core/models/layers/Initialised.h"

namespace headroom::models {
namespace {

constexpr std::int64_t kWanTimestepRange = 1000;

// Options of the parameters that upstream keeps in float32.
at::TensorOptions wideOptions(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const bool isKept =
        fields.at("keep_in_fp32_modules").boolean() && at::isReducedFloatingType(options.dtype().toScalarType());
    return isKept ? options.dtype(at::kFloat) : options;
}

// Computed in float32 even if the model is in float64.
at::TensorOptions rotaryOptions(const at::TensorOptions& wide)
{
    return wide.dtype().toScalarType() == at::kDouble ? wide.dtype(at::kFloat) : wide;
}

TokenGrid patchOf(const config::ValueMap& fields)
{
    const auto& list = fields.at("patch_size").list();
    return {list[0].integer(), list[1].integer(), list[2].integer()};
}

std::int64_t volumeOf(const TokenGrid& extents)
{
    return extents[0] * extents[1] * extents[2];
}

} // namespace

Wan::Wan(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_width(config::wanInnerWidth(fields))
    , m_patch(patchOf(fields))
{
    const at::TensorOptions wide = wideOptions(fields, options);
    const std::vector<std::int64_t> patch(m_patch.begin(), m_patch.end());
    m_table = register_parameter("scale_shift_table", tensor::emptyParameter({1, 2, m_width}, wide));
    m_rotary = register_module("rope",
        std::make_shared<WanRotaryEmbedding>(
            fields.at("attention_head_dim").integer(), fields.at("rope_max_seq_len").integer(), rotaryOptions(wide)));
    m_patchEmbedding = register_module("patch_embedding",
        std::make_shared<Conv3d>(
            ConvolutionOptions{
                .in = fields.at("in_channels").integer(), .out = m_width, .kernel = patch, .stride = patch},
            options));
    m_condition = register_module("condition_embedder", std::make_shared<WanConditionEmbedding>(fields, options, wide));
    const auto blocks = register_module("blocks", std::make_shared<Container>());
    for (std::int64_t index = 0; index < fields.at("num_layers").integer(); ++index)
        m_blocks.push_back(
            blocks->register_module(std::to_string(index), std::make_shared<WanBlock>(fields, options, wide)));
    m_normOut = register_module(
        "norm_out", std::make_shared<Fp32LayerNorm>(m_width, fields.at("eps").real(), Affine::Off, options));
    m_projectOut = register_module("proj_out",
        std::make_shared<Linear>(m_width, volumeOf(m_patch) * fields.at("out_channels").integer(), Bias::On, options));
}

at::Tensor Wan::forward(const Inputs& inputs)
{
    const tensor::ModuleScope scope(*this);
    const at::Tensor& latents = inputs.at("hidden_states");
    const TokenGrid grid = gridOf(latents);
    WanBlockContext context;
    context.rotary = m_rotary->forward(grid);
    // The convolution leaves channels as a sample's slowest dimension; upstream copies this once, before the blocks.
    at::Tensor hidden = m_patchEmbedding->forward(latents).flatten(2).transpose(1, 2).contiguous();
    WanCondition condition = m_condition->forward(inputs.at("timestep"), inputs.at("encoder_hidden_states"));
    context.modulation = condition.modulation;
    context.text = condition.text;
    hidden = runBlocks(std::move(hidden), context);
    const std::vector<at::Tensor> rows = outputRows(condition.embedded);
    hidden = modulated(*m_normOut, hidden, rows[0], rows[1]);
    hidden = m_projectOut->forward(hidden);
    return latentsOf(hidden, grid);
}

TokenGrid Wan::gridOf(const at::Tensor& latents) const
{
    return {latents.size(2) / m_patch[0], latents.size(3) / m_patch[1], latents.size(4) / m_patch[2]};
}

at::Tensor Wan::runBlocks(at::Tensor hidden, const WanBlockContext& context)
{
    for (std::size_t index = 0; index < m_blocks.size(); ++index) {
        const auto forward = [block = m_blocks[index]](const std::vector<at::Tensor>& in) {
            return std::vector<at::Tensor>{block->forward(in[0], {in[1], in[2], {in[3], in[4]}})};
        };
        hidden = runBlock(static_cast<std::int64_t>(index), forward,
            {hidden, context.text, context.modulation, context.rotary.cosines, context.rotary.sines})[0];
    }
    return hidden;
}

// Shift and scale. If each token has a time step, each has its own vectors.
std::vector<at::Tensor> Wan::outputRows(const at::Tensor& embedded) const
{
    std::vector<at::Tensor> rows = (m_table + embedded.unsqueeze(-2)).unbind(-2);
    if (embedded.dim() == 2)
        for (at::Tensor& row : rows)
            row = row.unsqueeze(1);
    return rows;
}

// Converts [batch, tokens, patch * channels], channels fastest, to [batch, channels, frames, height, width].
at::Tensor Wan::latentsOf(const at::Tensor& tokens, const TokenGrid& grid) const
{
    const at::Tensor patches =
        tokens.reshape({tokens.size(0), grid[0], grid[1], grid[2], m_patch[0], m_patch[1], m_patch[2], -1});
    return patches.permute({0, 7, 1, 4, 2, 5, 3, 6}).flatten(6, 7).flatten(4, 5).flatten(2, 3);
}

std::vector<torch::nn::Module*> Wan::blocks()
{
    return modulesOf(m_blocks);
}

std::vector<FeedForward*> Wan::feedForwards()
{
    return feedForwardsOf(m_blocks);
}

void Wan::initialise()
{
    initialiseTable(m_table);
}

Inputs wanInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    const auto& shapes = configuration.workload.shapes;
    const auto& fields = configuration.modelFields;
    const config::WanLatent latent = config::wanLatent(shapes);
    const std::int64_t batch = shapes.at("batch").integer();
    return {
        {"hidden_states",
            at::randn(
                {batch, fields.at("in_channels").integer(), latent.frames, latent.height, latent.width}, options)},
        {"encoder_hidden_states",
            at::randn({batch, shapes.at("text_tokens").integer(), fields.at("text_dim").integer()}, options)},
        {"timestep", at::randint(kWanTimestepRange, {batch}, options.dtype(at::kLong))},
    };
}

} // namespace headroom::models
