// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LtxVideoFamily.h"
#include "core/models/blocks/LtxVideoBlock.h"
#include "core/models/layers/RmsNorm.h"
#include "core/models/layers/TimestepEmbedding.h"
#include "tests/benchmarks/models/PlainLayers.h"

namespace headroom::benchmarks {
namespace {

/// What all blocks read.
struct LtxVideoContext {
    at::Tensor text;
    at::Tensor modulation;
    models::RotaryTables rotary;
    at::Tensor mask;
};

class PlainLtxVideoBlock {
public:
    PlainLtxVideoBlock(const Weights& weights, const std::string& path, const config::ValueMap& fields)
        : m_table(weights.at(path + ".scale_shift_table"))
        , m_self(weights, path + ".attn1", fields.at("num_attention_heads").integer(), 1e-5,
              PlainAttention::Rotary::AcrossHeads)
        , m_text(weights, path + ".attn2", fields.at("num_attention_heads").integer(), 1e-5,
              PlainAttention::Rotary::AcrossHeads)
        , m_feedForward(weights, path + ".ff", models::activationFromName(fields.at("activation_fn").text()))
        , m_eps(fields.at("norm_eps").real())
    {
    }

    at::Tensor operator()(const at::Tensor& hidden, const LtxVideoContext& context) const
    {
        at::Tensor normed = models::chainedRmsNorm(hidden, {}, m_eps);
        const auto rows = (m_table.unsqueeze(0).unsqueeze(0) + context.modulation.unflatten(-1, {6, -1})).unbind(2);
        normed = normed * (1 + rows[1]) + rows[0];
        at::Tensor result = hidden + m_self(normed, normed, context.rotary, std::nullopt) * rows[2];
        result = result + m_text(result, context.text, {}, context.mask);
        normed = models::chainedRmsNorm(result, {}, m_eps) * (1 + rows[4]) + rows[3];
        return result + m_feedForward(normed) * rows[5];
    }

private:
    at::Tensor m_table;
    PlainAttention m_self;
    PlainAttention m_text;
    PlainFeedForward m_feedForward;
    double m_eps;
};

class PlainLtxVideo final : public PlainModel {
public:
    PlainLtxVideo(const Weights& weights, const config::ValueMap& fields)
        : m_table(weights.at("scale_shift_table"))
        , m_projectIn(weights, "proj_in")
        , m_time(weights, "time_embed.emb.timestep_embedder", PlainEmbedding::Between::Silu)
        , m_modulation(weights, "time_embed.linear")
        , m_caption(weights, "caption_projection", PlainEmbedding::Between::Gelu)
        , m_projectOut(weights, "proj_out")
    {
        for (std::int64_t block = 0; block < fields.at("num_layers").integer(); ++block)
            m_blocks.emplace_back(weights, "transformer_blocks." + std::to_string(block), fields);
    }

    at::Tensor forward(const models::Inputs& inputs) const override
    {
        const at::Tensor& latents = inputs.at("hidden_states");
        const std::int64_t batch = latents.size(0), width = m_table.size(-1);
        LtxVideoContext context;
        context.rotary = models::ltxRotaryTables(
            models::latentGrid({inputs.at("num_frames").item<std::int64_t>(), inputs.at("height").item<std::int64_t>(),
                                   inputs.at("width").item<std::int64_t>()},
                batch, {}, latents.options()),
            width);
        const at::Tensor mask = inputs.at("encoder_attention_mask").to(latents.scalar_type());
        context.mask = ((1 - mask) * -10000.0).unsqueeze(1).unsqueeze(1);
        at::Tensor hidden = m_projectIn(latents);
        const at::Tensor sinusoids =
            models::sinusoids(inputs.at("timestep").flatten(), config::kLtxTimestepChannels).to(latents.scalar_type());
        const at::Tensor embedded = m_time(sinusoids);
        context.modulation = m_modulation(at::silu(embedded)).view({batch, -1, 6 * width});
        context.text = m_caption(inputs.at("encoder_hidden_states"));
        for (const PlainLtxVideoBlock& block : m_blocks)
            hidden = block(hidden, context);
        return project(hidden, embedded.view({batch, -1, width}));
    }

private:
    at::Tensor project(const at::Tensor& hidden, const at::Tensor& embedded) const
    {
        const at::Tensor rows = m_table.unsqueeze(0).unsqueeze(0) + embedded.unsqueeze(2);
        const at::Tensor normed = at::layer_norm(hidden, {hidden.size(-1)}, {}, {}, 1e-6);
        return m_projectOut(normed * (1 + rows.select(2, 1)) + rows.select(2, 0));
    }

    at::Tensor m_table;
    PlainLinear m_projectIn;
    PlainEmbedding m_time;
    PlainLinear m_modulation;
    PlainEmbedding m_caption;
    std::vector<PlainLtxVideoBlock> m_blocks;
    PlainLinear m_projectOut;
};

} // namespace

std::unique_ptr<PlainModel> plainLtxVideo(const Weights& weights, const config::ValueMap& fields)
{
    return std::make_unique<PlainLtxVideo>(weights, fields);
}

} // namespace headroom::benchmarks
