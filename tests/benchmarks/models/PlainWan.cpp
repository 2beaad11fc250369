// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/TimestepEmbedding.h"
#include "tests/benchmarks/models/PlainLayers.h"

namespace headroom::benchmarks {
namespace {

at::Tensor wide(const at::Tensor& x)
{
    return x.to(at::kFloat);
}

at::Tensor modulated(const at::Tensor& x, const at::Tensor& shift, const at::Tensor& scale, double eps)
{
    const at::Tensor normed = at::layer_norm(wide(x), {x.size(-1)}, {}, {}, eps);
    return (normed * (1 + scale) + shift).to(x.scalar_type());
}

/// What all blocks read.
struct WanContext {
    at::Tensor text;
    at::Tensor modulation;
    models::RotaryTables rotary;
};

class PlainWanBlock {
public:
    PlainWanBlock(const Weights& weights, const std::string& path, const config::ValueMap& fields)
        : m_table(weights.at(path + ".scale_shift_table"))
        , m_eps(fields.at("eps").real())
        , m_self(weights, path + ".attn1", fields.at("num_attention_heads").integer(), m_eps,
              PlainAttention::Rotary::EachHead)
        , m_text(weights, path + ".attn2", fields.at("num_attention_heads").integer(), m_eps,
              PlainAttention::Rotary::EachHead)
        , m_normWeight(weights.at(path + ".norm2.weight"))
        , m_normBias(weights.at(path + ".norm2.bias"))
        , m_feedForward(weights, path + ".ffn", models::Activation::GeluApproximate)
    {
    }

    at::Tensor operator()(at::Tensor hidden, const WanContext& context) const
    {
        const auto rows = (m_table + wide(context.modulation)).unbind(-2);
        const auto row = [&](std::size_t index) { return rows[index].unsqueeze(1); };
        const at::ScalarType type = hidden.scalar_type();
        at::Tensor normed = modulated(hidden, row(0), row(1), m_eps);
        hidden = (wide(hidden) + m_self(normed, normed, context.rotary, std::nullopt) * row(2)).to(type);
        normed = at::layer_norm(wide(hidden), {hidden.size(-1)}, wide(m_normWeight), wide(m_normBias), m_eps).to(type);
        hidden = hidden + m_text(normed, context.text, {}, std::nullopt);
        normed = modulated(hidden, row(3), row(4), m_eps);
        return (wide(hidden) + wide(m_feedForward(normed)) * row(5)).to(type);
    }

private:
    at::Tensor m_table;
    double m_eps;
    PlainAttention m_self;
    PlainAttention m_text;
    at::Tensor m_normWeight;
    at::Tensor m_normBias;
    PlainFeedForward m_feedForward;
};

class PlainWan final : public PlainModel {
public:
    PlainWan(const Weights& weights, const config::ValueMap& fields)
        : m_channels(fields.at("freq_dim").integer())
        , m_eps(fields.at("eps").real())
        , m_table(weights.at("scale_shift_table"))
        , m_cosines(weights.at("rope.freqs_cos"))
        , m_sines(weights.at("rope.freqs_sin"))
        , m_patches(weights, "patch_embedding")
        , m_time(weights, "condition_embedder.time_embedder", PlainEmbedding::Between::Silu)
        , m_timeProjection(weights, "condition_embedder.time_proj")
        , m_text(weights, "condition_embedder.text_embedder", PlainEmbedding::Between::Gelu)
        , m_projectOut(weights, "proj_out")
    {
        for (std::int64_t block = 0; block < fields.at("num_layers").integer(); ++block)
            m_blocks.emplace_back(weights, "blocks." + std::to_string(block), fields);
    }

    at::Tensor forward(const models::Inputs& inputs) const override
    {
        const at::Tensor& latents = inputs.at("hidden_states");
        const at::Tensor& text = inputs.at("encoder_hidden_states");
        const std::array<std::int64_t, 3> grid{latents.size(2), latents.size(3) / 2, latents.size(4) / 2};
        WanContext context;
        context.rotary = {ofGrid(m_cosines, grid), ofGrid(m_sines, grid)};
        const std::vector<std::int64_t> stride{1, 2, 2}, noughts{0, 0, 0}, ones{1, 1, 1};
        at::Tensor hidden = at::convolution(
            latents, m_patches.weight, m_patches.bias, stride, noughts, ones, /*transposed=*/false, noughts, 1);
        hidden = hidden.flatten(2).transpose(1, 2).contiguous();
        const at::Tensor sinusoids = models::sinusoids(inputs.at("timestep"), m_channels);
        const at::Tensor embedded = m_time(sinusoids.to(m_time.first.weight.scalar_type())).to(text.scalar_type());
        context.modulation = m_timeProjection(at::silu(embedded)).unflatten(-1, {6, -1});
        context.text = m_text(text);
        for (const PlainWanBlock& block : m_blocks)
            hidden = block(hidden, context);
        return latentsOf(hidden, embedded, grid);
    }

private:
    static at::Tensor ofGrid(const at::Tensor& table, const std::array<std::int64_t, 3>& grid)
    {
        const std::int64_t side = 2 * (table.size(1) / 6);
        const auto axes = table.split_with_sizes({table.size(1) - 2 * side, side, side}, 1);
        const auto part = [&](std::size_t axis, std::vector<std::int64_t> shape) {
            return axes[axis].narrow(0, 0, grid[axis]).view(shape).expand({grid[0], grid[1], grid[2], -1});
        };
        return at::cat({part(0, {grid[0], 1, 1, -1}), part(1, {1, grid[1], 1, -1}), part(2, {1, 1, grid[2], -1})}, -1)
            .reshape({1, grid[0] * grid[1] * grid[2], 1, -1});
    }

    at::Tensor latentsOf(
        const at::Tensor& hidden, const at::Tensor& embedded, const std::array<std::int64_t, 3>& grid) const
    {
        const auto rows = (m_table + embedded.unsqueeze(-2)).unbind(-2);
        const at::Tensor tokens = m_projectOut(modulated(hidden, rows[0].unsqueeze(1), rows[1].unsqueeze(1), m_eps));
        return tokens.reshape({tokens.size(0), grid[0], grid[1], grid[2], 1, 2, 2, -1})
            .permute({0, 7, 1, 4, 2, 5, 3, 6})
            .flatten(6, 7)
            .flatten(4, 5)
            .flatten(2, 3);
    }

    std::int64_t m_channels;
    double m_eps;
    at::Tensor m_table;
    at::Tensor m_cosines;
    at::Tensor m_sines;
    PlainLinear m_patches;
    PlainEmbedding m_time;
    PlainLinear m_timeProjection;
    PlainEmbedding m_text;
    std::vector<PlainWanBlock> m_blocks;
    PlainLinear m_projectOut;
};

} // namespace

std::unique_ptr<PlainModel> plainWan(const Weights& weights, const config::ValueMap& fields)
{
    return std::make_unique<PlainWan>(weights, fields);
}

} // namespace headroom::benchmarks
