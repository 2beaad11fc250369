// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/RmsNorm.h"

#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/AtLeastFloat32.h"

namespace headroom::models {
at::Tensor chainedRmsNorm(const at::Tensor& input, const at::Tensor& weight, double eps)
{
    const at::Tensor variance = atLeastFloat32(input).pow(2).mean({-1}, true);
    at::Tensor result = input * at::rsqrt(variance + eps);
    if (!weight.defined())
        return result.to(input.scalar_type());
    if (at::isReducedFloatingType(weight.scalar_type()))
        result = result.to(weight.scalar_type());
    return result * weight;
}

at::Tensor raisedRmsNorm(const at::Tensor& input, const at::Tensor& weight, double eps)
{
    at::Tensor result = atLeastFloat32(input);
    const at::Tensor variance = result.pow(2).mean({-1}, true);
    result = result * at::rsqrt(variance + eps);
    const at::Tensor normed = result.to(input.scalar_type());
    return weight.defined() ? weight * normed : normed;
}

RmsNorm::RmsNorm(std::int64_t width, double eps, Affine affine, RmsNormForm form, const at::TensorOptions& options)
    : m_width(width)
    , m_eps(eps)
    , m_form(form)
{
    if (affine == Affine::On)
        weight = register_parameter("weight", tensor::emptyParameter({width}, options));
}

at::Tensor RmsNorm::forward(const at::Tensor& input) const
{
    const tensor::ModuleScope scope(*this);
    if (m_form == RmsNormForm::Chain)
        return chainedRmsNorm(input, weight, m_eps);
    if (m_form == RmsNormForm::Raised)
        return raisedRmsNorm(input, weight, m_eps);
    const auto optionalWeight = weight.defined() ? std::optional(weight) : std::nullopt;
    return at::rms_norm(input, {m_width}, optionalWeight, m_eps);
}

void RmsNorm::initialise()
{
    if (weight.defined())
        weight.fill_(1.0);
}

} // namespace headroom::models
