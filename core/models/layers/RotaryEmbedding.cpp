// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {
namespace {

at::Tensor rotated(const at::Tensor& x)
{
    const auto pairs = x.unflatten(-1, {-1, 2}).unbind(-1);
    return at::stack({-pairs[1], pairs[0]}, -1).flatten(-2);
}

// Every second entry, beginning with `first`.
at::Tensor everySecond(const at::Tensor& x, std::int64_t first)
{
    return at::slice(x, -1, first, std::nullopt, 2);
}

// The float32 copy is freed before the next one is allocated.
at::Tensor weighted(const at::Tensor& x, const at::Tensor& table)
{
    return x.to(at::kFloat) * table;
}

// Two slices, as upstream's: each has a gradient as large as x, where one split would have none.
at::Tensor rotatedHalves(const at::Tensor& x)
{
    const std::int64_t half = x.size(-1) / 2;
    const at::Tensor first = x.slice(-1, 0, half);
    const at::Tensor second = x.slice(-1, half);
    return at::cat({-second, first}, -1);
}

} // namespace

at::Tensor applyRotary(const at::Tensor& x, const RotaryTables& tables)
{
    const at::Tensor turned = rotated(x);
    at::Tensor sum = weighted(x, tables.cosines);
    sum = sum + weighted(turned, tables.sines);
    return sum.to(x.scalar_type());
}

at::Tensor applyRotaryToHeads(const at::Tensor& x, const RotaryTables& tables)
{
    const auto pairs = x.unflatten(-1, {-1, 2}).unbind(-1);
    const at::Tensor cosines = everySecond(tables.cosines, 0);
    const at::Tensor sines = everySecond(tables.sines, 1);
    const at::Tensor result = at::empty_like(x);
    // Separate statements, so that only one half's products are alive at a time, and the left one comes first.
    at::Tensor half = pairs[0] * cosines;
    half = half - pairs[1] * sines;
    everySecond(result, 0).copy_(half);
    half.reset();
    half = pairs[0] * sines;
    half = half + pairs[1] * cosines;
    everySecond(result, 1).copy_(half);
    return result;
}

// Keeps upstream's order of operations, which decides the last bits.
RotaryTables halvesRotaryTables(const at::Tensor& positions, std::int64_t channels, double theta, at::ScalarType dtype)
{
    const at::Tensor steps = at::arange(0, channels, 2, positions.options().dtype(at::kLong)).to(at::kFloat);
    const at::Tensor frequencies = at::pow(theta, steps / channels).reciprocal();
    at::Tensor angles = positions.to(at::kFloat).unsqueeze(-1) * frequencies;
    angles = at::cat({angles, angles}, -1);
    const at::Tensor cosines = angles.cos() * 1.0; // upstream's attention_scaling, which is 1 without longer positions
    const at::Tensor sines = angles.sin() * 1.0;
    return {cosines.to(dtype), sines.to(dtype)};
}

// Tensors that are no longer needed are freed before the next op allocates, as in upstream's eager code.
at::Tensor applyRotaryToHalves(const at::Tensor& x, const RotaryTables& tables)
{
    const at::Tensor straight = x * tables.cosines;
    at::Tensor turned = rotatedHalves(x);
    turned = turned * tables.sines;
    return straight + turned;
}

} // namespace headroom::models
