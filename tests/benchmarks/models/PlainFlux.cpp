// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FluxFamily.h"
#include "core/models/blocks/FluxRotaryEmbedding.h"
#include "core/models/layers/AdaptiveLayerNorm.h"
#include "core/models/layers/TimestepEmbedding.h"
#include "tests/benchmarks/models/PlainLayers.h"

// Float16 alone is clipped between blocks; it is not compared.
namespace headroom::benchmarks {
namespace {

constexpr double kEps = 1e-6;

struct FluxStreams {
    at::Tensor image;
    at::Tensor text;
};

/// What all blocks read.
struct FluxContext {
    at::Tensor embedding;
    models::RotaryTables rotary;
};

at::Tensor modulatedNorm(const at::Tensor& x, const at::Tensor& shift, const at::Tensor& scale)
{
    return models::modulated(models::plainLayerNorm(x, kEps), scale, shift);
}

/// Queries, keys and values, [batch, tokens, heads, channels].
struct Projected {
    at::Tensor query;
    at::Tensor key;
    at::Tensor value;
};

/// Names of a stream's layers.
struct ProjectionNames {
    const char* query;
    const char* key;
    const char* value;
    const char* normQuery;
    const char* normKey;
};

constexpr ProjectionNames kImageNames{"to_q", "to_k", "to_v", "norm_q", "norm_k"};
constexpr ProjectionNames kTextNames{"add_q_proj", "add_k_proj", "add_v_proj", "norm_added_q", "norm_added_k"};

class PlainProjections {
public:
    PlainProjections(const Weights& weights, const std::string& path, const ProjectionNames& names)
        : m_query(weights, path + names.query)
        , m_key(weights, path + names.key)
        , m_value(weights, path + names.value)
        , m_normQuery(weights.at(path + names.normQuery + ".weight"))
        , m_normKey(weights.at(path + names.normKey + ".weight"))
    {
    }

    Projected project(const at::Tensor& tokens) const
    {
        const std::int64_t headDim = m_normQuery.size(0);
        Projected result;
        result.query = m_query(tokens).unflatten(-1, {-1, headDim});
        result.key = m_key(tokens).unflatten(-1, {-1, headDim});
        result.value = m_value(tokens).unflatten(-1, {-1, headDim});
        return result;
    }

    void normalise(Projected& projected) const
    {
        projected.query = at::rms_norm(projected.query, {projected.query.size(-1)}, m_normQuery, kEps);
        projected.key = at::rms_norm(projected.key, {projected.key.size(-1)}, m_normKey, kEps);
    }

private:
    PlainLinear m_query, m_key, m_value;
    at::Tensor m_normQuery, m_normKey;
};

at::Tensor attend(Projected& joint, const models::RotaryTables& rotary)
{
    joint.query = models::applyRotary(joint.query, rotary);
    joint.key = models::applyRotary(joint.key, rotary);
    return mergedHeads(at::scaled_dot_product_attention(
        joint.query.transpose(1, 2), joint.key.transpose(1, 2), joint.value.transpose(1, 2)));
}

class PlainFluxJointAttention {
public:
    PlainFluxJointAttention(const Weights& weights, const std::string& path)
        : m_image(weights, path + ".", kImageNames)
        , m_text(weights, path + ".", kTextNames)
        , m_toImage(weights, path + ".to_out.0")
        , m_toText(weights, path + ".to_add_out")
    {
    }

    FluxStreams operator()(const FluxStreams& streams, const models::RotaryTables& rotary) const
    {
        Projected joint = m_image.project(streams.image);
        Projected text = m_text.project(streams.text);
        m_image.normalise(joint);
        m_text.normalise(text);
        joint.query = at::cat({text.query, joint.query}, 1);
        joint.key = at::cat({text.key, joint.key}, 1);
        joint.value = at::cat({text.value, joint.value}, 1);
        const at::Tensor attended = attend(joint, rotary);
        const auto parts = attended.split_with_sizes({streams.text.size(1), streams.image.size(1)}, 1);
        const at::Tensor image = m_toImage(parts[1].contiguous());
        return {image, m_toText(parts[0].contiguous())};
    }

private:
    PlainProjections m_image;
    PlainProjections m_text;
    PlainLinear m_toImage;
    PlainLinear m_toText;
};

class PlainDoubleBlock {
public:
    PlainDoubleBlock(const Weights& weights, const std::string& path)
        : m_imageModulation(weights, path + ".norm1.linear")
        , m_textModulation(weights, path + ".norm1_context.linear")
        , m_attention(weights, path + ".attn")
        , m_imageFeedForward(weights, path + ".ff", models::Activation::GeluApproximate)
        , m_textFeedForward(weights, path + ".ff_context", models::Activation::GeluApproximate)
    {
    }

    FluxStreams operator()(const FluxStreams& streams, const FluxContext& context) const
    {
        const auto image = modulationOf(m_imageModulation, context.embedding, 6);
        at::Tensor normedImage = modulatedNorm(streams.image, image[0], image[1]);
        const auto text = modulationOf(m_textModulation, context.embedding, 6);
        const at::Tensor normedText = modulatedNorm(streams.text, text[0], text[1]);
        const FluxStreams attended = m_attention({std::move(normedImage), normedText}, context.rotary);
        const at::Tensor imageResult = fed(streams.image, attended.image, image, m_imageFeedForward);
        return {imageResult, fed(streams.text, attended.text, text, m_textFeedForward)};
    }

private:
    static at::Tensor fed(const at::Tensor& stream, const at::Tensor& attended,
        const std::vector<at::Tensor>& modulation, const PlainFeedForward& feedForward)
    {
        const at::Tensor result = stream + modulation[2].unsqueeze(1) * attended;
        const at::Tensor normed = modulatedNorm(result, modulation[3], modulation[4]);
        return result + modulation[5].unsqueeze(1) * feedForward(normed);
    }

    PlainLinear m_imageModulation;
    PlainLinear m_textModulation;
    PlainFluxJointAttention m_attention;
    PlainFeedForward m_imageFeedForward;
    PlainFeedForward m_textFeedForward;
};

class PlainSingleBlock {
public:
    PlainSingleBlock(const Weights& weights, const std::string& path)
        : m_modulation(weights, path + ".norm.linear")
        , m_projections(weights, path + ".attn.", kImageNames)
        , m_toInner(weights, path + ".proj_mlp")
        , m_toOutput(weights, path + ".proj_out")
    {
    }

    FluxStreams operator()(const FluxStreams& streams, const FluxContext& context) const
    {
        const at::Tensor joint = at::cat({streams.text, streams.image}, 1);
        const auto modulation = modulationOf(m_modulation, context.embedding, 3);
        const at::Tensor normed = modulatedNorm(joint, modulation[0], modulation[1]);
        const at::Tensor inner = at::gelu(m_toInner(normed), "tanh");
        Projected projected = m_projections.project(normed);
        m_projections.normalise(projected);
        const at::Tensor both = at::cat({attend(projected, context.rotary), inner}, 2);
        const at::Tensor result = joint + modulation[2].unsqueeze(1) * m_toOutput(both);
        const std::int64_t textTokens = streams.text.size(1);
        return {result.slice(1, textTokens), result.slice(1, 0, textTokens)};
    }

private:
    PlainLinear m_modulation;
    PlainProjections m_projections;
    PlainLinear m_toInner;
    PlainLinear m_toOutput;
};

class PlainFlux final : public PlainModel {
public:
    PlainFlux(const Weights& weights, const config::ValueMap& fields)
        : m_image(weights, "x_embedder")
        , m_text(weights, "context_embedder")
        , m_time(weights, "time_text_embed.timestep_embedder", PlainEmbedding::Between::Silu)
        , m_pooled(weights, "time_text_embed.text_embedder", PlainEmbedding::Between::Silu)
        , m_modulation(weights, "norm_out.linear")
        , m_projectOut(weights, "proj_out")
    {
        for (const config::Value& axis : fields.at("axes_dims_rope").list())
            m_axes.push_back(axis.integer());
        if (fields.at("guidance_embeds").boolean())
            m_guidance.emplace(weights, "time_text_embed.guidance_embedder", PlainEmbedding::Between::Silu);
        for (std::int64_t block = 0; block < fields.at("num_layers").integer(); ++block)
            m_doubleBlocks.emplace_back(weights, "transformer_blocks." + std::to_string(block));
        for (std::int64_t block = 0; block < fields.at("num_single_layers").integer(); ++block)
            m_singleBlocks.emplace_back(weights, "single_transformer_blocks." + std::to_string(block));
    }

    at::Tensor forward(const models::Inputs& inputs) const override
    {
        FluxStreams streams;
        streams.image = m_image(inputs.at("hidden_states"));
        FluxContext context;
        context.embedding = embeddingOf(inputs, streams.image.scalar_type());
        streams.text = m_text(inputs.at("encoder_hidden_states"));
        context.rotary = models::fluxRotaryTables(at::cat({inputs.at("txt_ids"), inputs.at("img_ids")}, 0), m_axes);
        for (const PlainDoubleBlock& block : m_doubleBlocks)
            streams = block(streams, context);
        for (const PlainSingleBlock& block : m_singleBlocks)
            streams = block(streams, context);
        const auto modulation = modulationOf(m_modulation, context.embedding, 2);
        return m_projectOut(modulatedNorm(streams.image, modulation[1], modulation[0]));
    }

private:
    at::Tensor embeddingOf(const models::Inputs& inputs, at::ScalarType type) const
    {
        const at::Tensor& pooled = inputs.at("pooled_projections");
        const auto scaled = [&](const char* name) { return inputs.at(name).to(type) * 1000.0; };
        const auto waves = [&](const at::Tensor& values) {
            return models::sinusoids(values, config::kFluxTimestepChannels).to(pooled.scalar_type());
        };
        const at::Tensor timestep = scaled("timestep");
        const at::Tensor guidance = m_guidance ? scaled("guidance") : at::Tensor();
        at::Tensor result = m_time(waves(timestep));
        if (m_guidance)
            result = result + (*m_guidance)(waves(guidance));
        return result + m_pooled(pooled);
    }

    std::vector<std::int64_t> m_axes;
    PlainLinear m_image;
    PlainLinear m_text;
    PlainEmbedding m_time;
    std::optional<PlainEmbedding> m_guidance;
    PlainEmbedding m_pooled;
    std::vector<PlainDoubleBlock> m_doubleBlocks;
    std::vector<PlainSingleBlock> m_singleBlocks;
    PlainLinear m_modulation;
    PlainLinear m_projectOut;
};

} // namespace

std::unique_ptr<PlainModel> plainFlux(const Weights& weights, const config::ValueMap& fields)
{
    return std::make_unique<PlainFlux>(weights, fields);
}

} // namespace headroom::benchmarks
