// SPDX-License-Identifier: Apache-2.0
#include "tests/core/models/families/PlainLlama.h"

namespace headroom::reference {
namespace {

Matrix rowsOf(const Matrix& table, const std::vector<std::int64_t>& indices)
{
    Matrix result(static_cast<std::int64_t>(indices.size()), table.columns);
    for (std::int64_t row = 0; row < result.rows; ++row)
        for (std::int64_t i = 0; i < table.columns; ++i)
            result.at(row, i) = table.at(indices[static_cast<std::size_t>(row)], i);
    return result;
}

// Pairs (i, i + d / 2) of each head turned by position * theta^(-2i / d), an angle that is rounded to float32.
Matrix turned(const Matrix& x, const std::vector<std::int64_t>& positions, std::int64_t headDim, double theta)
{
    Matrix result = x;
    const std::int64_t half = headDim / 2;
    for (std::int64_t row = 0; row < x.rows; ++row)
        for (std::int64_t first = 0; first < x.columns; first += headDim)
            for (std::int64_t i = 0; i < half; ++i) {
                const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(headDim);
                const auto frequency = static_cast<float>(std::pow(theta, exponent));
                const double angle = static_cast<float>(positions[static_cast<std::size_t>(row)]) * frequency;
                const double a = x.at(row, first + i), b = x.at(row, first + half + i);
                result.at(row, first + i) = a * std::cos(angle) - b * std::sin(angle);
                result.at(row, first + half + i) = b * std::cos(angle) + a * std::sin(angle);
            }
    return result;
}

double silu(double x)
{
    return x / (1 + std::exp(-x));
}

} // namespace

Matrix plainLlama(const config::ValueMap& fields, const Parameters& parameters, const Sequence& sequence)
{
    const std::int64_t heads = fields.at("num_attention_heads").integer();
    const std::int64_t queriesPerKey = heads / fields.at("num_key_value_heads").integer();
    const double eps = fields.at("rms_norm_eps").real(), theta = fields.at("rope_theta").real();
    Matrix hidden = rowsOf(parameters.at("model.embed_tokens.weight"), sequence.tokens);
    for (std::int64_t block = 0; block < fields.at("num_hidden_layers").integer(); ++block) {
        const auto weight = [&](const std::string& name) -> const Matrix& {
            return parameters.at("model.layers." + std::to_string(block) + "." + name + ".weight");
        };
        const std::int64_t headDim = weight("self_attn.q_proj").rows / heads;
        Matrix normed = rmsNorm(hidden, weight("input_layernorm"), eps);
        const auto projected = [&](const char* name) { return product(normed, weight(name)); };
        const ScoreRule rule{[&](double dot, auto...) { return dot / std::sqrt(static_cast<double>(headDim)); },
            [&](std::int64_t query, std::int64_t key) {
                return key <= query && sequence.isKept[static_cast<std::size_t>(key)];
            }};
        const Matrix attended = attention(turned(projected("self_attn.q_proj"), sequence.positions, headDim, theta),
            turned(projected("self_attn.k_proj"), sequence.positions, headDim, theta), projected("self_attn.v_proj"),
            headDim, queriesPerKey, rule);
        hidden = sum(hidden, product(attended, weight("self_attn.o_proj")));
        normed = rmsNorm(hidden, weight("post_attention_layernorm"), eps);
        hidden = sum(hidden,
            gatedFeedForward(normed, weight("mlp.gate_proj"), weight("mlp.up_proj"), weight("mlp.down_proj"), silu));
    }
    return product(rmsNorm(hidden, parameters.at("model.norm.weight"), eps), parameters.at("lm_head.weight"));
}

double plainCrossEntropy(const std::vector<Matrix>& logits, const std::vector<Sequence>& sequences)
{
    double total = 0;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < logits.size(); ++i)
        for (std::int64_t row = 0; row + 1 < logits[i].rows; ++row, ++count) {
            double exponentials = 0;
            for (std::int64_t token = 0; token < logits[i].columns; ++token)
                exponentials += std::exp(logits[i].at(row, token));
            const std::int64_t next = sequences[i].tokens[static_cast<std::size_t>(row) + 1];
            total += std::log(exponentials) - logits[i].at(row, next);
        }
    return total / static_cast<double>(count);
}

} // namespace headroom::reference
