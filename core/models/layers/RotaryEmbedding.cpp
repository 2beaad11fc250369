// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {
namespace {

at::Tensor rotated(const at::Tensor& x)
{
    const auto pairs = x.unflatten(-1, {-1, 2}).unbind(-1);
    return at::stack({-pairs[1], pairs[0]}, -1).flatten(-2);
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

} // namespace headroom::models
