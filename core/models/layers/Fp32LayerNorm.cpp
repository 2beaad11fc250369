// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Fp32LayerNorm.h"

#include "core/memory/MemoryScopes.h"

namespace headroom::models {

at::Tensor Fp32LayerNorm::forward(const at::Tensor& input) const
{
    const tensor::ModuleScope scope(*this);
    const auto upcast = [&](const at::Tensor& parameter) {
        return parameter.defined() ? std::optional(atLeastFloat32(parameter)) : std::nullopt;
    };
    const at::Tensor normed = at::layer_norm(atLeastFloat32(input), {width()}, upcast(weight), upcast(bias), eps());
    return normed.to(input.scalar_type());
}

} // namespace headroom::models
