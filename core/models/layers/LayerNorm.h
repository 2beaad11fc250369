// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/models/layers/RmsNorm.h"

namespace headroom::models {

/// PyTorch's LayerNorm over the last dimension. If the weights have another type, the input is converted to it and the
/// result back to the input's: not every device has a kernel for mixed types. Under autocast the types are left to
/// autocast.
///
/// weight, bias: [width], undefined without them.
class LayerNorm : public torch::nn::Module, public Initialised {
public:
    LayerNorm(std::int64_t width, double eps, Affine affine, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& input) const;

    /// Weights become one, biases zero.
    void initialise() override;

    at::Tensor weight;
    at::Tensor bias;

protected:
    std::int64_t width() const { return m_width; }
    double eps() const { return m_eps; }

private:
    std::int64_t m_width;
    double m_eps;
};

} // namespace headroom::models
