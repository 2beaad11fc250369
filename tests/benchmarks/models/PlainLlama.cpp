// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LlamaFamily.h"
#include "core/models/layers/RmsNorm.h"
#include "tests/benchmarks/models/PlainLayers.h"

// Of whole sequences, without padding.
namespace headroom::benchmarks {
namespace {

class PlainCausalAttention {
public:
    PlainCausalAttention(const Weights& weights, const std::string& path, const config::ValueMap& fields)
        : m_headDim(config::llamaHeadDim(fields))
        , m_queriesPerKey(fields.at("num_attention_heads").integer() / fields.at("num_key_value_heads").integer())
        , m_query(weights, path + ".q_proj")
        , m_key(weights, path + ".k_proj")
        , m_value(weights, path + ".v_proj")
        , m_output(weights, path + ".o_proj")
    {
    }

    at::Tensor operator()(const at::Tensor& hidden, const models::RotaryTables& rotary) const
    {
        at::Tensor query = splitHeads(m_query(hidden), m_headDim);
        at::Tensor key = splitHeads(m_key(hidden), m_headDim);
        at::Tensor value = splitHeads(m_value(hidden), m_headDim);
        query = models::applyRotaryToHalves(query, rotary);
        key = repeated(models::applyRotaryToHalves(key, rotary));
        value = repeated(value);
        const at::Tensor attended = at::scaled_dot_product_attention(query, key, value, {}, 0, /*is_causal=*/true);
        return m_output(mergedHeads(attended));
    }

private:
    at::Tensor repeated(const at::Tensor& x) const
    {
        if (m_queriesPerKey == 1)
            return x;
        return x.unsqueeze(2).expand({x.size(0), x.size(1), m_queriesPerKey, x.size(2), x.size(3)}).flatten(1, 2);
    }

    std::int64_t m_headDim;
    std::int64_t m_queriesPerKey;
    PlainLinear m_query, m_key, m_value, m_output;
};

class PlainLlamaBlock {
public:
    PlainLlamaBlock(const Weights& weights, const std::string& path, const config::ValueMap& fields)
        : m_eps(fields.at("rms_norm_eps").real())
        , m_attentionNorm(weights.at(path + ".input_layernorm.weight"))
        , m_attention(weights, path + ".self_attn", fields)
        , m_feedForwardNorm(weights.at(path + ".post_attention_layernorm.weight"))
        , m_feedForward(weights, path + ".mlp", {"gate_proj", "up_proj", "down_proj"}, models::Activation::Swiglu)
    {
    }

    at::Tensor operator()(at::Tensor hidden, const models::RotaryTables& rotary) const
    {
        hidden = hidden + m_attention(models::raisedRmsNorm(hidden, m_attentionNorm, m_eps), rotary);
        return hidden + m_feedForward(models::raisedRmsNorm(hidden, m_feedForwardNorm, m_eps));
    }

private:
    double m_eps;
    at::Tensor m_attentionNorm;
    PlainCausalAttention m_attention;
    at::Tensor m_feedForwardNorm;
    PlainGatedFeedForward m_feedForward;
};

class PlainLlama final : public PlainModel {
public:
    PlainLlama(const Weights& weights, const config::ValueMap& fields)
        : m_headDim(config::llamaHeadDim(fields))
        , m_theta(fields.at("rope_theta").real())
        , m_eps(fields.at("rms_norm_eps").real())
        , m_embedding(weights.at("model.embed_tokens.weight"))
        , m_norm(weights.at("model.norm.weight"))
        , m_head(weights, "lm_head")
    {
        for (std::int64_t block = 0; block < fields.at("num_hidden_layers").integer(); ++block)
            m_blocks.emplace_back(weights, "model.layers." + std::to_string(block), fields);
    }

    at::Tensor forward(const models::Inputs& inputs) const override
    {
        const at::Tensor& ids = inputs.at("input_ids");
        at::Tensor hidden = at::embedding(m_embedding, ids);
        const at::Tensor positions = at::arange(ids.size(1), ids.options().dtype(at::kLong)).unsqueeze(0);
        const models::RotaryTables rotary =
            models::halvesRotaryTables(positions.unsqueeze(1), m_headDim, m_theta, hidden.scalar_type());
        for (const PlainLlamaBlock& block : m_blocks)
            hidden = block(hidden, rotary);
        return m_head(models::raisedRmsNorm(hidden, m_norm, m_eps));
    }

private:
    std::int64_t m_headDim;
    double m_theta;
    double m_eps;
    at::Tensor m_embedding;
    std::vector<PlainLlamaBlock> m_blocks;
    at::Tensor m_norm;
    PlainLinear m_head;
};

} // namespace

std::unique_ptr<PlainModel> plainLlama(const Weights& weights, const config::ValueMap& fields)
{
    return std::make_unique<PlainLlama>(weights, fields);
}

} // namespace headroom::benchmarks
