// SPDX-License-Identifier: Apache-2.0
#include "core/models/layers/Linear.h"

#include "core/tensor/MemoryScopes.h"

#include <cmath>

namespace headroom::models {

Linear::Linear(std::int64_t in, std::int64_t out, Bias withBias, const at::TensorOptions& options)
{
    weight = register_parameter("weight", at::empty({out, in}, options));
    if (withBias == Bias::On)
        bias = register_parameter("bias", at::empty({out}, options));
}

at::Tensor Linear::forward(const at::Tensor& input) const
{
    const tensor::ModuleScope scope(*this);
    return at::linear(input, weight, bias);
}

void Linear::initialise()
{
    const double bound = 1.0 / std::sqrt(static_cast<double>(weight.size(1)));
    weight.uniform_(-bound, bound);
    if (bias.defined())
        bias.uniform_(-bound, bound);
}

} // namespace headroom::models
