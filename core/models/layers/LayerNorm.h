// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/models/layers/RmsNorm.h"

namespace headroom::models {

/// PyTorch's LayerNorm over the last dimension.
///
/// weight, bias: [width], undefined without them.
class LayerNorm : public torch::nn::Module, public Initialised {
public:
    LayerNorm(std::int64_t width, double eps, Affine affine, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& input) const;

    /// Weights of one, biases of nought.
    void initialise() override;

    at::Tensor weight;
    at::Tensor bias;

private:
    std::int64_t m_width;
    double m_eps;
};

} // namespace headroom::models
