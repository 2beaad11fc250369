// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/RmsNorm.h"

namespace headroom::models {

RmsNorm::RmsNorm(std::int64_t width, double eps, Affine affine, const at::TensorOptions& options)
    : m_width(width)
    , m_eps(eps)
{
    if (affine == Affine::On)
        weight = register_parameter("weight", at::empty({width}, options));
}

at::Tensor RmsNorm::forward(const at::Tensor& input) const
{
    const auto optionalWeight = weight.defined() ? std::optional(weight) : std::nullopt;
    return at::rms_norm(input, {m_width}, optionalWeight, m_eps);
}

void RmsNorm::initialise()
{
    if (weight.defined())
        weight.fill_(1.0);
}

} // namespace headroom::models
