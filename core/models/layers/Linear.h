// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

enum class Bias { Off, On };

/// y = x W^T + b. Unlike torch::nn::Linear its parameters are made where they belong (meta too), uninitialised.
///
/// weight: [out, in]; bias: [out], undefined without one. Input [..., in], output [..., out].
class Linear : public torch::nn::Module, public Initialised {
public:
    Linear(std::int64_t in, std::int64_t out, Bias bias, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& input) const;

    /// Uniform in +-1/sqrt(in), weight and bias alike, as PyTorch's default.
    void initialise() override;

    at::Tensor weight;
    at::Tensor bias;
};

} // namespace headroom::models
