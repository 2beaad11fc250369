// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/LtxVideo.h"

#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/AdaptiveLayerNorm.h"
#include "core/models/layers/Container.h"
#include "core/models/layers/Initialised.h"

namespace headroom::models {
namespace {

constexpr std::int64_t kBlockTableRows = 6;
constexpr double kOutputNormEps = 1e-6;
constexpr double kMaskedBias = -10000.0;
constexpr std::int64_t kLtxTimestepRange = 1000;

// Holds one number outside of the allocators: it is not tensor memory of the device.
at::Tensor hostInteger(std::int64_t value)
{
    auto* storage = new std::int64_t(value);
    return at::from_blob(storage, {1}, [storage](void*) { delete storage; }, at::kLong);
}

std::optional<GridScale> gridScale(const at::Tensor& given)
{
    if (!given.defined())
        return std::nullopt;
    const at::Tensor values = given.to(at::kDouble).contiguous();
    const double* data = values.const_data_ptr<double>();
    return GridScale{data[0], data[1], data[2]};
}

// Additive, [batch, 1, text]. Not minus infinity: with a completely masked text, attention is uniform.
// A mask [batch, 1, text] is taken to be additive already, as upstream does.
at::Tensor ltxAdditiveMask(const at::Tensor& mask, at::ScalarType dtype)
{
    if (!mask.defined())
        return mask;
    if (mask.dim() != 2)
        return mask;
    at::Tensor bias = mask.to(dtype);
    bias = at::rsub(bias, 1); // C++'s 1 - bias fills a tensor first
    bias = bias * kMaskedBias;
    return bias.unsqueeze(1);
}

} // namespace

LtxVideo::LtxVideo(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_width(config::ltxInnerWidth(fields))
    , m_grid({fields.at("patch_size").integer(), fields.at("patch_size_t").integer(), std::nullopt})
{
    const auto linear = [&](std::int64_t in, std::int64_t out) {
        return std::make_shared<Linear>(in, out, Bias::On, options);
    };
    m_table = register_parameter("scale_shift_table", tensor::emptyParameter({2, m_width}, options));
    m_projectIn = register_module("proj_in", linear(fields.at("in_channels").integer(), m_width));
    m_timeEmbedding = register_module("time_embed",
        std::make_shared<AdaptiveNormSource>(config::kLtxTimestepChannels, m_width, kBlockTableRows, options));
    m_captionProjection = register_module("caption_projection",
        std::make_shared<TextProjection>(fields.at("caption_channels").integer(), m_width, options));
    const auto blocks = register_module("transformer_blocks", std::make_shared<Container>());
    for (std::int64_t index = 0; index < fields.at("num_layers").integer(); ++index)
        m_blocks.push_back(
            blocks->register_module(std::to_string(index), std::make_shared<LtxVideoBlock>(fields, options)));
    m_projectOut = register_module("proj_out", linear(m_width, fields.at("out_channels").integer()));
}

at::Tensor LtxVideo::forward(const Inputs& inputs)
{
    const tensor::ModuleScope scope(*this);
    const at::Tensor& latents = inputs.at("hidden_states");
    const std::int64_t batch = latents.size(0);
    LtxBlockContext context;
    context.rotary = rotaryTables(inputs);
    context.mask = ltxAdditiveMask(optionalInput(inputs, "encoder_attention_mask"), latents.scalar_type());
    at::Tensor hidden = m_projectIn->forward(latents);
    const auto time = m_timeEmbedding->forward(inputs.at("timestep").flatten(), hidden.scalar_type());
    context.modulation = time.modulation.view({batch, -1, time.modulation.size(-1)});
    context.text = m_captionProjection->forward(inputs.at("encoder_hidden_states"));
    hidden = runBlocks(std::move(hidden), context);
    const at::Tensor rows = m_table.unsqueeze(0).unsqueeze(0) + time.embedded.view({batch, -1, m_width}).unsqueeze(2);
    const at::Tensor shift = rows.select(2, 0);
    const at::Tensor scale = rows.select(2, 1);
    hidden = plainLayerNorm(hidden, kOutputNormEps);
    hidden = scaledAndShifted(hidden, scale, shift);
    return m_projectOut->forward(hidden);
}

RotaryTables LtxVideo::rotaryTables(const Inputs& inputs) const
{
    const at::Tensor& latents = inputs.at("hidden_states");
    if (const at::Tensor coordinates = optionalInput(inputs, "video_coords"); coordinates.defined())
        return ltxRotaryTables(gridOfCoordinates(coordinates), m_width);
    const config::LtxLatent latent{inputs.at("num_frames").item<std::int64_t>(),
        inputs.at("height").item<std::int64_t>(), inputs.at("width").item<std::int64_t>()};
    GridOptions grid = m_grid;
    grid.scale = gridScale(optionalInput(inputs, "rope_interpolation_scale"));
    return ltxRotaryTables(latentGrid(latent, latents.size(0), grid, latents.options()), m_width);
}

at::Tensor LtxVideo::runBlocks(at::Tensor hidden, const LtxBlockContext& context)
{
    for (std::size_t index = 0; index < m_blocks.size(); ++index) {
        const auto forward = [block = m_blocks[index]](const std::vector<at::Tensor>& in) {
            return std::vector<at::Tensor>{block->forward(in[0], {in[1], in[2], {in[3], in[4]}, in[5]})};
        };
        hidden = runBlock(static_cast<std::int64_t>(index), forward,
            {hidden, context.text, context.modulation, context.rotary.cosines, context.rotary.sines, context.mask})[0];
    }
    return hidden;
}

std::set<std::string> LtxVideo::hostInputs() const
{
    return {"num_frames", "height", "width", "rope_interpolation_scale"};
}

std::vector<torch::nn::Module*> LtxVideo::blocks()
{
    return modulesOf(m_blocks);
}

std::vector<FeedForward*> LtxVideo::feedForwards()
{
    return feedForwardsOf(m_blocks);
}

void LtxVideo::initialise()
{
    initialiseTable(m_table);
}

Inputs ltxVideoInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    const auto& shapes = configuration.workload.shapes;
    const auto& fields = configuration.modelFields;
    const config::LtxLatent latent = config::ltxLatent(shapes);
    const std::int64_t batch = shapes.at("batch").integer();
    const std::int64_t text = shapes.at("text_tokens").integer();
    const auto hostNumber = [](std::int64_t value) { return hostInteger(value); };
    return {
        {"hidden_states", at::randn({batch, latent.tokens(), fields.at("in_channels").integer()}, options)},
        {"encoder_hidden_states", at::randn({batch, text, fields.at("caption_channels").integer()}, options)},
        {"encoder_attention_mask", at::randint(2, {batch, text}, options.dtype(at::kBool))},
        {"timestep", at::randint(kLtxTimestepRange, {batch}, options.dtype(at::kLong))},
        {"num_frames", hostNumber(latent.frames)},
        {"height", hostNumber(latent.height)},
        {"width", hostNumber(latent.width)},
    };
}

} // namespace headroom::models
