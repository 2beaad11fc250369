// SPDX-License-Identifier: Apache-2.0
#include "tests/core/models/families/PlainT5.h"

#include <limits>
#include <numbers>

namespace headroom::reference {
namespace {

double geluTanh(double x)
{
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

} // namespace

// Of n wide buckets from `single` on the k-th begins where distance^n = single^(n - k) * farthest^k.
std::int64_t plainBucket(std::int64_t distance, std::int64_t buckets, std::int64_t farthest)
{
    const std::int64_t half = buckets / 2, single = half / 2, wide = half - single;
    const std::int64_t side = distance > 0 ? half : 0, size = std::abs(distance);
    if (size < single)
        return side + size;
    const auto power = [](std::int64_t base, std::int64_t exponent) {
        return std::pow(static_cast<long double>(base), static_cast<long double>(exponent));
    };
    std::int64_t bucket = 0;
    while (bucket + 1 < wide
        && power(size, wide) >= power(single, wide - bucket - 1) * power(farthest, bucket + 1) * (1 - 1e-15L))
        ++bucket;
    return side + single + bucket;
}

Matrix plainT5Encoder(const config::ValueMap& fields, const Parameters& parameters, const Text& text)
{
    const auto tokens = static_cast<std::int64_t>(text.tokens.size());
    const std::int64_t buckets = fields.at("relative_attention_num_buckets").integer();
    const std::int64_t farthest = fields.at("relative_attention_max_distance").integer();
    const double eps = fields.at("layer_norm_epsilon").real();
    const Matrix& table = parameters.at("shared.weight");
    const Matrix& positions = parameters.at("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
    Matrix hidden(tokens, table.columns);
    for (std::int64_t row = 0; row < tokens; ++row)
        for (std::int64_t i = 0; i < table.columns; ++i)
            hidden.at(row, i) = table.at(text.tokens[static_cast<std::size_t>(row)], i);
    const ScoreRule rule{[&](double dot, std::int64_t head, std::int64_t query, std::int64_t key) {
                             const double padding =
                                 text.isKept[static_cast<std::size_t>(key)] ? 0 : std::numeric_limits<double>::lowest();
                             return dot + (positions.at(plainBucket(key - query, buckets, farthest), head) + padding);
                         },
        [](std::int64_t, std::int64_t) { return true; }};
    for (std::int64_t block = 0; block < fields.at("num_layers").integer(); ++block) {
        const auto weight = [&](const std::string& name) -> const Matrix& {
            return parameters.at("encoder.block." + std::to_string(block) + ".layer." + name + ".weight");
        };
        Matrix normed = rmsNorm(hidden, weight("0.layer_norm"), eps);
        const auto projected = [&](const char* name) { return product(normed, weight(name)); };
        const Matrix attended = attention(projected("0.SelfAttention.q"), projected("0.SelfAttention.k"),
            projected("0.SelfAttention.v"), fields.at("d_kv").integer(), 1, rule);
        hidden = sum(hidden, product(attended, weight("0.SelfAttention.o")));
        normed = rmsNorm(hidden, weight("1.layer_norm"), eps);
        hidden = sum(hidden,
            gatedFeedForward(normed, weight("1.DenseReluDense.wi_0"), weight("1.DenseReluDense.wi_1"),
                weight("1.DenseReluDense.wo"), geluTanh));
    }
    return rmsNorm(hidden, parameters.at("encoder.final_layer_norm.weight"), eps);
}

} // namespace headroom::reference
