// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/CogVideoXPatchEmbedding.h"

#include "core/memory/MemoryScopes.h"

#include <cmath>

namespace headroom::models {
namespace {

constexpr double kCogVideoXTheta = 10000;

/// The start and end of an axis of a grid.
struct Range {
    double begin = 0;
    double end = 0;
};

// Python's round: this rounding mode, too, rounds halves to even.
double rounded(double value)
{
    return std::nearbyint(value);
}

Range centred(std::int64_t whole, double part)
{
    const double begin = rounded((static_cast<double>(whole) - part) / 2);
    return {begin, begin + part};
}

/// Rows and columns of the largest centred part of the sample's grid that has the video's aspect ratio.
struct Crop {
    Range rows;
    Range columns;
};

Crop cropOf(const config::CogVideoXLatent& latent, const config::CogVideoXLatent& sample)
{
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double rows = real(latent.rows()), columns = real(latent.columns());
    const double sampleRows = real(sample.rows()), sampleColumns = real(sample.columns());
    if (rows / columns > sampleRows / sampleColumns)
        return {centred(sample.rows(), sampleRows), centred(sample.columns(), rounded(sampleRows / rows * columns))};
    return {centred(sample.rows(), rounded(sampleColumns / columns * rows)), centred(sample.columns(), sampleColumns)};
}

at::Tensor stretched(const Range& range, std::int64_t count, const at::TensorOptions& options)
{
    return at::linspace(
        range.begin, range.end * static_cast<double>(count - 1) / static_cast<double>(count), count, options);
}

// [positions, width] of cosines or sines, one after the other.
RotaryTables axisTables(const at::Tensor& positions, std::int64_t width)
{
    const at::Tensor exponents = at::arange(0, width, 2, positions.options()) / width;
    const at::Tensor angles = at::outer(positions, at::reciprocal(at::pow(kCogVideoXTheta, exponents)));
    return {angles.cos().repeat_interleave(2, 1), angles.sin().repeat_interleave(2, 1)};
}

// [tokens, channels] from the axes' tables [extent, width], the last axis fastest.
at::Tensor combined(const at::Tensor& frames, const at::Tensor& rows, const at::Tensor& columns)
{
    const std::int64_t f = frames.size(0), r = rows.size(0), c = columns.size(0);
    return at::cat({frames.view({f, 1, 1, -1}).expand({-1, r, c, -1}), rows.view({1, r, 1, -1}).expand({f, -1, c, -1}),
                       columns.view({1, 1, c, -1}).expand({f, r, -1, -1})},
        -1)
        .view({f * r * c, -1});
}

// [positions, width]: sines, then cosines.
at::Tensor sinesAndCosines(std::int64_t count, double scale, std::int64_t width, const at::TensorOptions& options)
{
    const at::Tensor positions = at::arange(count, options.dtype(at::kFloat)) / scale;
    const at::Tensor exponents = at::arange(width / 2, options.dtype(at::kDouble)) / (static_cast<double>(width) / 2.0);
    const at::Tensor angles = at::outer(positions, at::reciprocal(at::pow(kCogVideoXTheta, exponents)));
    return at::cat({angles.sin(), angles.cos()}, 1);
}

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

RotaryTables cogVideoXRotaryTables(const config::CogVideoXLatent& latent, const config::CogVideoXLatent& sample,
    std::int64_t channels, const at::TensorOptions& options)
{
    const at::TensorOptions real = options.dtype(at::kFloat);
    const Crop crop = cropOf(latent, sample);
    const std::int64_t side = channels / 8 * 3;
    const RotaryTables frames = axisTables(at::arange(latent.frames, real), channels / 4);
    const RotaryTables rows = axisTables(stretched(crop.rows, latent.rows(), real), side);
    const RotaryTables columns = axisTables(stretched(crop.columns, latent.columns(), real), side);
    return {combined(frames.cosines, rows.cosines, columns.cosines), combined(frames.sines, rows.sines, columns.sines)};
}

// Within a token's channels, columns come before rows.
at::Tensor cogVideoXPositions(const config::CogVideoXLatent& latent, std::int64_t textTokens, std::int64_t width,
    const CogVideoXPositionScale& scale, const at::TensorOptions& options)
{
    const std::int64_t f = latent.frames, r = latent.rows(), c = latent.columns();
    const std::int64_t side = width / 8 * 3;
    const at::Tensor frames = sinesAndCosines(f, scale.time, width / 4, options).view({f, 1, 1, -1});
    const at::Tensor rows = sinesAndCosines(r, scale.space, side, options).view({1, r, 1, -1});
    const at::Tensor columns = sinesAndCosines(c, scale.space, side, options).view({1, 1, c, -1});
    const at::Tensor video =
        at::cat({frames.expand({-1, r, c, -1}), columns.expand({f, r, -1, -1}), rows.expand({f, -1, c, -1})}, -1);
    const at::Tensor positions = at::zeros({1, textTokens + f * r * c, width}, video.options());
    positions.slice(1, textTokens).copy_(video.view({f * r * c, width}));
    return positions;
}

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
