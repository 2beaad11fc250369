// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/RmsNorm.h"

#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/AtLeastFloat32.h"

namespace headroom::models {
namespace {

// Each temporary of a chain is freed before the next but one is allocated, as Python's are.
at::Tensor meanSquare(const at::Tensor& input)
{
    const at::Tensor squares = atLeastFloat32(input).pow(2);
    return squares.mean({-1}, true);
}

at::Tensor inverseRoot(const at::Tensor& variance, double eps)
{
    const at::Tensor sum = variance + eps;
    return at::rsqrt(sum);
}

} // namespace

at::Tensor chainedRmsNorm(const at::Tensor& input, const at::Tensor& weight, double eps, RmsNormForm form)
{
    const at::Tensor variance = meanSquare(input);
    at::Tensor result = input * inverseRoot(variance, eps);
    if (!weight.defined())
        return result.to(input.scalar_type());
    if (at::isReducedFloatingType(weight.scalar_type()))
        result = result.to(weight.scalar_type());
    return form == RmsNormForm::WeightFirst ? weight * result : result * weight;
}

at::Tensor raisedRmsNorm(const at::Tensor& input, const at::Tensor& weight, double eps)
{
    at::Tensor result = atLeastFloat32(input);
    const at::Tensor variance = meanSquare(result);
    result = result * inverseRoot(variance, eps);
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
    if (m_form == RmsNormForm::Chain || m_form == RmsNormForm::WeightFirst)
        return chainedRmsNorm(input, weight, m_eps, m_form);
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
