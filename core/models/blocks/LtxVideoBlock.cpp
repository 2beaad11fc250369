// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/LtxVideoBlock.h"

#include "core/config/models/LtxVideoFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/AdaptiveLayerNorm.h"

#include <numbers>

namespace headroom::models {
namespace {

constexpr double kBaseFrames = 20;
constexpr double kBasePixels = 2048;
constexpr double kLtxTheta = 10000;
constexpr std::int64_t kLtxAxes = 3;

/// How the coordinates of an axis become positions.
struct AxisScale {
    double factor = 1;
    std::int64_t patch = 1;
    double base = 1;
};

// In place; step by step in float32, as the angles of high frequencies preserve every rounding.
void scaleAxis(const at::Tensor& grid, std::int64_t axis, const AxisScale& scale)
{
    const at::Tensor part = grid.narrow(1, axis, 1);
    at::Tensor scaled = part * scale.factor;
    scaled = scaled * scale.patch;
    scaled = scaled / scale.base;
    part.copy_(scaled);
}

// Positions 0 .. 1 become -1 .. 1, with a last dimension for the frequencies.
at::Tensor centred(const at::Tensor& grid)
{
    const at::Tensor doubled = grid.unsqueeze(-1) * 2;
    return doubled - 1;
}

// Adds entries for channels that no axis has.
void pad(RotaryTables& tables, std::int64_t entries)
{
    if (entries == 0)
        return;
    const at::Tensor ones = at::ones_like(tables.cosines.narrow(-1, 0, entries));
    const at::Tensor zeros = at::zeros_like(tables.cosines.narrow(-1, 0, entries));
    tables.cosines = at::cat({ones, tables.cosines}, -1);
    tables.sines = at::cat({zeros, tables.sines}, -1);
}

Bias ltxBiasOf(const config::ValueMap& fields, const char* name)
{
    return fields.at(name).boolean() ? Bias::On : Bias::Off;
}

// The projected text is as wide as the model, so both attentions have the same shapes.
AttentionOptions ltxAttentionOptions(const config::ValueMap& fields)
{
    const std::int64_t width = config::ltxInnerWidth(fields);
    return {.dim = width,
        .contextDim = width,
        .heads = fields.at("num_attention_heads").integer(),
        .headDim = fields.at("attention_head_dim").integer(),
        .bias = ltxBiasOf(fields, "attention_bias"),
        .outputBias = ltxBiasOf(fields, "attention_out_bias")};
}

FeedForwardOptions ltxFeedForwardOptions(const config::ValueMap& fields)
{
    const std::int64_t width = config::ltxInnerWidth(fields);
    return {.dim = width,
        .dimOut = width,
        .inner = 4 * width,
        .activation = activationFromName(fields.at("activation_fn").text())};
}

std::shared_ptr<RmsNorm> ltxNorm(const config::ValueMap& fields, const at::TensorOptions& options)
{
    return std::make_shared<RmsNorm>(config::ltxInnerWidth(fields), fields.at("norm_eps").real(),
        fields.at("norm_elementwise_affine").boolean() ? Affine::On : Affine::Off, RmsNormForm::Chain, options);
}

constexpr std::int64_t kTableRows = 6;

} // namespace

// [batch, 3, frames, rows, columns] first, a copy for each sample, as upstream makes it.
at::Tensor latentGrid(
    const config::LtxLatent& latent, std::int64_t batch, const GridOptions& grid, const at::TensorOptions& options)
{
    const auto real = options.dtype(at::kFloat);
    const at::Tensor rows = at::arange(latent.height, real);
    const at::Tensor columns = at::arange(latent.width, real);
    const at::Tensor frames = at::arange(latent.frames, real);
    at::Tensor result = at::stack(at::meshgrid({frames, rows, columns}, "ij"), 0);
    result = result.unsqueeze(0).repeat({batch, 1, 1, 1, 1});
    if (grid.scale) {
        scaleAxis(result, 0, {(*grid.scale)[0], grid.patchTime, kBaseFrames});
        scaleAxis(result, 1, {(*grid.scale)[1], grid.patch, kBasePixels});
        scaleAxis(result, 2, {(*grid.scale)[2], grid.patch, kBasePixels});
    }
    return result.flatten(2, 4).transpose(1, 2);
}

at::Tensor gridOfCoordinates(const at::Tensor& coordinates)
{
    return at::stack({coordinates.select(1, 0) / kBaseFrames, coordinates.select(1, 1) / kBasePixels,
                         coordinates.select(1, 2) / kBasePixels},
        -1)
        .to(at::kFloat);
}

RotaryTables ltxRotaryTables(const at::Tensor& grid, std::int64_t width)
{
    const std::int64_t count = width / (2 * kLtxAxes);
    at::Tensor angles = at::pow(kLtxTheta, at::linspace(0, 1, count, grid.options()));
    angles = angles * std::numbers::pi / 2.0;
    angles = angles * centred(grid);
    angles = angles.transpose(-1, -2).flatten(2);
    RotaryTables tables;
    tables.cosines = angles.cos().repeat_interleave(2, -1);
    tables.sines = angles.sin().repeat_interleave(2, -1);
    pad(tables, width % (2 * kLtxAxes));
    return tables;
}

LtxVideoBlock::LtxVideoBlock(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_table(register_parameter(
          "scale_shift_table", tensor::emptyParameter({kTableRows, config::ltxInnerWidth(fields)}, options)))
    , m_norm1(register_module("norm1", ltxNorm(fields, options)))
    , m_selfAttention(register_module("attn1", std::make_shared<Attention>(ltxAttentionOptions(fields), options)))
    , m_norm2(register_module("norm2", ltxNorm(fields, options)))
    , m_textAttention(register_module("attn2", std::make_shared<Attention>(ltxAttentionOptions(fields), options)))
    , m_feedForward(register_module("ff", std::make_shared<FeedForward>(ltxFeedForwardOptions(fields), options)))
{
}

// Order of the table's rows: shift, scale and gate of the self-attention, then of the feed-forward.
at::Tensor LtxVideoBlock::forward(const at::Tensor& hidden, const LtxBlockContext& context) const
{
    const tensor::ModuleScope scope(*this);
    at::Tensor normed = m_norm1->forward(hidden);
    const at::Tensor modulation = context.modulation.unflatten(-1, {kTableRows, -1});
    const auto rows = (m_table.unsqueeze(0).unsqueeze(0) + modulation).unbind(2);
    normed = scaledAndShifted(normed, rows[1], rows[0]);
    at::Tensor attended = m_selfAttention->forward(normed, normed, context.rotary, {});
    at::Tensor result = hidden + attended * rows[2];
    attended = m_textAttention->forward(result, context.text, {}, context.mask);
    result = result + attended;
    normed = scaledAndShifted(m_norm2->forward(result), rows[4], rows[3]);
    return result + m_feedForward->forward(normed) * rows[5];
}

void LtxVideoBlock::initialise()
{
    initialiseTable(m_table);
}

} // namespace headroom::models
