// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/models/layers/RmsNorm.h"

namespace headroom::models {

/// The type that is computed with where a model asks for no less than float32: float64 stays.
at::ScalarType atLeastFloat32(at::ScalarType type);

/// The tensor in that type; itself where it has it already.
at::Tensor atLeastFloat32(const at::Tensor& tensor);

/// diffusers' FP32LayerNorm over the last dimension: computed in float32, weights upcast if they are of a smaller type,
/// given back in the input's.
///
/// weight, bias: [width], undefined without them.
class Fp32LayerNorm : public torch::nn::Module, public Initialised {
public:
    Fp32LayerNorm(std::int64_t width, double eps, Affine affine, const at::TensorOptions& options);

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
