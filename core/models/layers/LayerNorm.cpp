// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/LayerNorm.h"

#include "core/autocast/AutocastRegion.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterStorage.h"

namespace headroom::models {
namespace {

std::optional<at::Tensor> given(const at::Tensor& parameter)
{
    return parameter.defined() ? std::optional(parameter) : std::nullopt;
}

} // namespace

LayerNorm::LayerNorm(std::int64_t width, double eps, Affine affine, const at::TensorOptions& options)
    : m_width(width)
    , m_eps(eps)
{
    if (affine == Affine::Off)
        return;
    weight = register_parameter("weight", tensor::emptyParameter({width}, options));
    bias = register_parameter("bias", tensor::emptyParameter({width}, options));
}

at::Tensor LayerNorm::forward(const at::Tensor& input) const
{
    const tensor::ModuleScope scope(*this);
    if (tensor::AutocastRegion::type())
        return at::layer_norm(input, {m_width}, given(weight), given(bias), m_eps);
    const at::ScalarType type = weight.defined() ? weight.scalar_type() : input.scalar_type();
    return at::layer_norm(input.to(type), {m_width}, given(weight), given(bias), m_eps).to(input.scalar_type());
}

void LayerNorm::initialise()
{
    if (!weight.defined())
        return;
    weight.fill_(1.0);
    bias.zero_();
}

} // namespace headroom::models
