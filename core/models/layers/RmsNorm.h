// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

enum class Affine { Off, On };

/// x / sqrt(mean(x^2) + eps) over the last dimension, times the weight if there is one.
///
/// weight: [width], undefined without one. Computed in float32 for reduced types.
class RmsNorm : public torch::nn::Module, public Initialised {
public:
    RmsNorm(std::int64_t width, double eps, Affine affine, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& input) const;

    /// Weights of one.
    void initialise() override;

    at::Tensor weight;

private:
    std::int64_t m_width;
    double m_eps;
};

} // namespace headroom::models
