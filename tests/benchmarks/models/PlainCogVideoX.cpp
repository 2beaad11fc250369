// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/CogVideoXFamily.h"
#include "core/models/layers/AdaptiveLayerNorm.h"
#include "core/models/layers/TimestepEmbedding.h"
#include "tests/benchmarks/models/PlainLayers.h"

// Of latents that have the extents of the model's sample: added positions are those of the buffer.
namespace headroom::benchmarks {
namespace {

struct CogVideoXStreams {
    at::Tensor video;
    at::Tensor text;
};

/// What all blocks read.
struct CogVideoXContext {
    at::Tensor embedding;
    models::RotaryTables rotary;
};

/// Layer norm with weights.
struct PlainNorm {
    PlainNorm(const Weights& weights, const std::string& path, double epsilon)
        : weight(weights.at(path + ".weight"))
        , bias(weights.at(path + ".bias"))
        , eps(epsilon)
    {
    }

    at::Tensor operator()(const at::Tensor& x) const { return at::layer_norm(x, {x.size(-1)}, weight, bias, eps); }

    at::Tensor weight;
    at::Tensor bias;
    double eps;
};

/// Text and video through one norm, each with a shift, a scale and a gate of its own.
class PlainModulatedNorm {
public:
    PlainModulatedNorm(const Weights& weights, const std::string& path, double eps)
        : m_linear(weights, path + ".linear")
        , m_norm(weights, path + ".norm", eps)
    {
    }

    struct Result {
        CogVideoXStreams normed;
        CogVideoXStreams gates;
    };

    Result operator()(const CogVideoXStreams& streams, const at::Tensor& embedding) const
    {
        const auto rows = modulationOf(m_linear, embedding, 6);
        Result result;
        result.normed.video = models::modulated(m_norm(streams.video), rows[1], rows[0]);
        result.normed.text = models::modulated(m_norm(streams.text), rows[4], rows[3]);
        result.gates = {rows[2].unsqueeze(1), rows[5].unsqueeze(1)};
        return result;
    }

private:
    PlainLinear m_linear;
    PlainNorm m_norm;
};

class PlainCogVideoXJointAttention {
public:
    PlainCogVideoXJointAttention(const Weights& weights, const std::string& path)
        : m_toQuery(weights, path + ".to_q")
        , m_toKey(weights, path + ".to_k")
        , m_toValue(weights, path + ".to_v")
        , m_toOutput(weights, path + ".to_out.0")
        , m_normQuery(weights, path + ".norm_q", 1e-6)
        , m_normKey(weights, path + ".norm_k", 1e-6)
    {
    }

    CogVideoXStreams operator()(const CogVideoXStreams& streams, const models::RotaryTables& rotary) const
    {
        const std::int64_t textTokens = streams.text.size(1), headDim = m_normQuery.weight.size(0);
        at::Tensor tokens = at::cat({streams.text, streams.video}, 1);
        at::Tensor query = splitHeads(m_toQuery(tokens), headDim);
        at::Tensor key = splitHeads(m_toKey(tokens), headDim);
        const at::Tensor value = splitHeads(m_toValue(tokens), headDim);
        query = m_normQuery(query);
        key = m_normKey(key);
        if (rotary.defined())
            for (const at::Tensor& heads : {query, key})
                heads.slice(2, textTokens).copy_(models::applyRotary(heads.slice(2, textTokens), rotary));
        tokens = m_toOutput(mergedHeads(at::scaled_dot_product_attention(query, key, value)));
        return {tokens.slice(1, textTokens), tokens.slice(1, 0, textTokens)};
    }

private:
    PlainLinear m_toQuery, m_toKey, m_toValue, m_toOutput;
    PlainNorm m_normQuery, m_normKey;
};

class PlainCogVideoXBlock {
public:
    PlainCogVideoXBlock(const Weights& weights, const std::string& path, const config::ValueMap& fields)
        : m_norm1(weights, path + ".norm1", fields.at("norm_eps").real())
        , m_attention(weights, path + ".attn1")
        , m_norm2(weights, path + ".norm2", fields.at("norm_eps").real())
        , m_feedForward(weights, path + ".ff", models::activationFromName(fields.at("activation_fn").text()))
    {
    }

    CogVideoXStreams operator()(const CogVideoXStreams& streams, const CogVideoXContext& context) const
    {
        const std::int64_t textTokens = streams.text.size(1);
        auto norm = m_norm1(streams, context.embedding);
        const CogVideoXStreams attended = m_attention(norm.normed, context.rotary);
        const CogVideoXStreams result = gatedSum(streams, norm.gates, attended);
        norm = m_norm2(result, context.embedding);
        at::Tensor tokens = at::cat({norm.normed.text, norm.normed.video}, 1);
        norm.normed.video.reset();
        tokens = at::dropout(m_feedForward(tokens), 0, false);
        return gatedSum(result, norm.gates, {tokens.slice(1, textTokens), tokens.slice(1, 0, textTokens)});
    }

private:
    static CogVideoXStreams gatedSum(
        const CogVideoXStreams& streams, const CogVideoXStreams& gates, const CogVideoXStreams& added)
    {
        const at::Tensor video = streams.video + gates.video * added.video;
        return {video, streams.text + gates.text * added.text};
    }

    PlainModulatedNorm m_norm1;
    PlainCogVideoXJointAttention m_attention;
    PlainModulatedNorm m_norm2;
    PlainFeedForward m_feedForward;
};

class PlainCogVideoX final : public PlainModel {
public:
    PlainCogVideoX(const Weights& weights, const config::ValueMap& fields)
        : m_width(config::cogVideoXInnerWidth(fields))
        , m_patches(weights, "patch_embed.proj")
        , m_projectText(weights, "patch_embed.text_proj")
        , m_positions(weights.find("patch_embed.pos_embedding"))
        , m_time(weights, "time_embedding", PlainEmbedding::Between::Silu)
        , m_norm(weights, "norm_final", fields.at("norm_eps").real())
        , m_outputModulation(weights, "norm_out.linear")
        , m_outputNorm(weights, "norm_out.norm", fields.at("norm_eps").real())
        , m_projectOut(weights, "proj_out")
    {
        for (std::int64_t block = 0; block < fields.at("num_layers").integer(); ++block)
            m_blocks.emplace_back(weights, "transformer_blocks." + std::to_string(block), fields);
    }

    at::Tensor forward(const models::Inputs& inputs) const override
    {
        const at::Tensor& latent = inputs.at("hidden_states");
        const at::Tensor& text = inputs.at("encoder_hidden_states");
        CogVideoXContext context;
        if (!m_positions.defined())
            context.rotary = {inputs.at("image_rotary_emb.0"), inputs.at("image_rotary_emb.1")};
        context.embedding = m_time(models::sinusoids(inputs.at("timestep"), m_width).to(latent.scalar_type()));
        at::Tensor tokens = at::dropout(tokensOf(latent, text), 0, false);
        CogVideoXStreams streams{tokens.slice(1, text.size(1)), tokens.slice(1, 0, text.size(1))};
        tokens.reset();
        for (const PlainCogVideoXBlock& block : m_blocks)
            streams = block(streams, context);
        return latentOf(projected(m_norm(streams.video), context.embedding), latent);
    }

private:
    at::Tensor tokensOf(const at::Tensor& latent, const at::Tensor& text) const
    {
        const std::vector<std::int64_t> stride{2, 2}, noughts{0, 0}, ones{1, 1};
        const at::Tensor textTokens = m_projectText(text);
        at::Tensor video = at::convolution(latent.flatten(0, 1), m_patches.weight, m_patches.bias, stride, noughts,
            ones, /*transposed=*/false, noughts, 1);
        video = video.unflatten(0, {latent.size(0), latent.size(1)}).flatten(3).transpose(2, 3).flatten(1, 2);
        const at::Tensor tokens = at::cat({textTokens, video}, 1);
        return m_positions.defined() ? tokens + m_positions.to(tokens.scalar_type()) : tokens;
    }

    at::Tensor projected(const at::Tensor& video, const at::Tensor& embedding) const
    {
        const auto rows = modulationOf(m_outputModulation, embedding, 2);
        return m_projectOut(models::modulated(m_outputNorm(video), rows[1], rows[0]));
    }

    static at::Tensor latentOf(const at::Tensor& tokens, const at::Tensor& latent)
    {
        return tokens.reshape({tokens.size(0), latent.size(1), latent.size(3) / 2, latent.size(4) / 2, -1, 2, 2})
            .permute({0, 1, 4, 2, 5, 3, 6})
            .flatten(5, 6)
            .flatten(3, 4);
    }

    std::int64_t m_width;
    PlainLinear m_patches;
    PlainLinear m_projectText;
    at::Tensor m_positions; ///< undefined with rotary ones
    PlainEmbedding m_time;
    std::vector<PlainCogVideoXBlock> m_blocks;
    PlainNorm m_norm;
    PlainLinear m_outputModulation;
    PlainNorm m_outputNorm;
    PlainLinear m_projectOut;
};

} // namespace

std::unique_ptr<PlainModel> plainCogVideoX(const Weights& weights, const config::ValueMap& fields)
{
    return std::make_unique<PlainCogVideoX>(weights, fields);
}

} // namespace headroom::benchmarks
