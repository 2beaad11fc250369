// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/T5Block.h"
#include "core/models/layers/RmsNorm.h"
#include "tests/benchmarks/models/PlainLayers.h"

// Of whole texts, without padding, and of models that drop nothing.
namespace headroom::benchmarks {
namespace {

class PlainBiasedAttention {
public:
    PlainBiasedAttention(const Weights& weights, const std::string& path, std::int64_t headDim)
        : m_headDim(headDim)
        , m_query(weights, path + ".q")
        , m_key(weights, path + ".k")
        , m_value(weights, path + ".v")
        , m_output(weights, path + ".o")
    {
    }

    at::Tensor operator()(const at::Tensor& hidden, const at::Tensor& bias) const
    {
        const at::Tensor query = splitHeads(m_query(hidden), m_headDim);
        const at::Tensor key = splitHeads(m_key(hidden), m_headDim);
        const at::Tensor value = splitHeads(m_value(hidden), m_headDim);
        return m_output(mergedHeads(at::scaled_dot_product_attention(
            query, key, value, bias.contiguous(), 0, /*is_causal=*/false, /*scale=*/1.0)));
    }

private:
    std::int64_t m_headDim;
    PlainLinear m_query, m_key, m_value, m_output;
};

class PlainT5EncoderBlock {
public:
    PlainT5EncoderBlock(const Weights& weights, const std::string& path, const config::ValueMap& fields)
        : m_eps(fields.at("layer_norm_epsilon").real())
        , m_attentionNorm(weights.at(path + ".layer.0.layer_norm.weight"))
        , m_attention(weights, path + ".layer.0.SelfAttention", fields.at("d_kv").integer())
        , m_feedForwardNorm(weights.at(path + ".layer.1.layer_norm.weight"))
        , m_feedForward(
              weights, path + ".layer.1.DenseReluDense", {"wi_0", "wi_1", "wo"}, models::Activation::GegluTanh)
    {
    }

    at::Tensor operator()(at::Tensor hidden, const at::Tensor& bias) const
    {
        at::Tensor branch = m_attention(models::chainedRmsNorm(hidden, m_attentionNorm, m_eps), bias);
        hidden = hidden + at::dropout(branch, 0, false);
        branch = m_feedForward(models::chainedRmsNorm(hidden, m_feedForwardNorm, m_eps));
        return hidden + at::dropout(branch, 0, false);
    }

private:
    double m_eps;
    at::Tensor m_attentionNorm;
    PlainBiasedAttention m_attention;
    at::Tensor m_feedForwardNorm;
    PlainGatedFeedForward m_feedForward;
};

class PlainT5Encoder final : public PlainModel {
public:
    PlainT5Encoder(const Weights& weights, const config::ValueMap& fields)
        : m_eps(fields.at("layer_norm_epsilon").real())
        , m_farthest(fields.at("relative_attention_max_distance").integer())
        , m_embedding(weights.at("shared.weight"))
        , m_positions(weights.at("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"))
        , m_norm(weights.at("encoder.final_layer_norm.weight"))
    {
        for (std::int64_t block = 0; block < fields.at("num_layers").integer(); ++block)
            m_blocks.emplace_back(weights, "encoder.block." + std::to_string(block), fields);
    }

    at::Tensor forward(const models::Inputs& inputs) const override
    {
        const at::Tensor& ids = inputs.at("input_ids");
        at::Tensor hidden = at::dropout(at::embedding(m_embedding, ids), 0, false);
        const at::Tensor places = at::arange(ids.size(1), ids.options().dtype(at::kLong));
        const at::Tensor buckets =
            models::relativePositionBuckets(places - places.unsqueeze(1), m_positions.size(0), m_farthest);
        const at::Tensor bias = at::embedding(m_positions, buckets).permute({2, 0, 1}).unsqueeze(0);
        for (const PlainT5EncoderBlock& block : m_blocks)
            hidden = block(hidden, bias);
        return at::dropout(models::chainedRmsNorm(hidden, m_norm, m_eps), 0, false);
    }

private:
    double m_eps;
    std::int64_t m_farthest;
    at::Tensor m_embedding;
    at::Tensor m_positions;
    std::vector<PlainT5EncoderBlock> m_blocks;
    at::Tensor m_norm;
};

} // namespace

std::unique_ptr<PlainModel> plainT5Encoder(const Weights& weights, const config::ValueMap& fields)
{
    return std::make_unique<PlainT5Encoder>(weights, fields);
}

} // namespace headroom::benchmarks
