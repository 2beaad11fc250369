// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/RotaryEmbedding.h"

namespace headroom::models {
namespace {

at::Tensor rotated(const at::Tensor& x)
{
    const auto pairs = x.unflatten(-1, {-1, 2}).unbind(-1);
    return at::stack({-pairs[1], pairs[0]}, -1).flatten(-2);
}

} // namespace

at::Tensor applyRotary(const at::Tensor& x, const RotaryTables& tables)
{
    const at::Tensor turned = rotated(x);
    const at::Tensor sum = x.to(at::kFloat) * tables.cosines + turned.to(at::kFloat) * tables.sines;
    return sum.to(x.scalar_type());
}

} // namespace headroom::models
