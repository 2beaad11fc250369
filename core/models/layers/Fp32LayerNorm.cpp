// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Fp32LayerNorm.h"

#include "core/tensor/MemoryScopes.h"
#include "core/tensor/ParameterStorage.h"

namespace headroom::models {

at::ScalarType atLeastFloat32(at::ScalarType type)
{
    return type == at::kDouble ? at::kDouble : at::kFloat;
}

at::Tensor atLeastFloat32(const at::Tensor& tensor)
{
    return tensor.to(atLeastFloat32(tensor.scalar_type()));
}

Fp32LayerNorm::Fp32LayerNorm(std::int64_t width, double eps, Affine affine, const at::TensorOptions& options)
    : m_width(width)
    , m_eps(eps)
{
    if (affine == Affine::Off)
        return;
    weight = register_parameter("weight", tensor::emptyParameter({width}, options));
    bias = register_parameter("bias", tensor::emptyParameter({width}, options));
}

at::Tensor Fp32LayerNorm::forward(const at::Tensor& input) const
{
    const tensor::ModuleScope scope(*this);
    const auto upcast = [&](const at::Tensor& parameter) {
        return parameter.defined() ? std::optional(atLeastFloat32(parameter)) : std::nullopt;
    };
    const at::Tensor normed = at::layer_norm(atLeastFloat32(input), {m_width}, upcast(weight), upcast(bias), m_eps);
    return normed.to(input.scalar_type());
}

void Fp32LayerNorm::initialise()
{
    if (!weight.defined())
        return;
    weight.fill_(1.0);
    bias.zero_();
}

} // namespace headroom::models
