// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {
namespace {

at::Tensor rotated(const at::Tensor& x)
{
    const auto pairs = x.unflatten(-1, {-1, 2}).unbind(-1);
    return at::stack({-pairs[1], pairs[0]}, -1).flatten(-2);
}

// Every second entry from `first` on.
at::Tensor everySecond(const at::Tensor& x, std::int64_t first)
{
    return at::slice(x, -1, first, std::nullopt, 2);
}

// The float32 copy goes before the next one is made.
at::Tensor weighted(const at::Tensor& x, const at::Tensor& table)
{
    return x.to(at::kFloat) * table;
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
    // Statements of their own, so that no more than one half's products are alive at a time.
    at::Tensor half = pairs[0] * cosines - pairs[1] * sines;
    everySecond(result, 0).copy_(half);
    half.reset();
    half = pairs[0] * sines + pairs[1] * cosines;
    everySecond(result, 1).copy_(half);
    return result;
}

} // namespace headroom::models
