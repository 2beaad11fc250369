// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

enum class Affine { Off, On };

/// How the norm is computed. Library: at::rms_norm, one kernel if LibTorch has one. Chain: op by op as in diffusers'
/// own RMSNorm module, rounded before it is weighted; autograd keeps the input and its float32 copy. WeightFirst: the
/// same with the weight on the product's left, as in T5's module, so that its gradient is computed first. Raised: op by
/// op as in Llama's module; the same values, but autograd only keeps the float32 copy.
enum class RmsNormForm { Library, Chain, WeightFirst, Raised };

/// diffusers' RMSNorm module over the last dimension, op by op: statistics in float32, multiplied with the unconverted
/// input; then converted to the input's type and multiplied with the weight if there is one. `form`: Chain or
/// WeightFirst.
at::Tensor chainedRmsNorm(
    const at::Tensor& input, const at::Tensor& weight, double eps, RmsNormForm form = RmsNormForm::Chain);

/// Llama's RMSNorm module: the input is converted to float32, normalised, converted back to the input's type, and
/// multiplied with the weight if there is one.
at::Tensor raisedRmsNorm(const at::Tensor& input, const at::Tensor& weight, double eps);

/// x / sqrt(mean(x^2) + eps) over the last dimension, times the weight if there is one.
///
/// weight: [width], undefined without one. Computed in float32 for reduced types.
class RmsNorm : public torch::nn::Module, public Initialised {
public:
    RmsNorm(std::int64_t width, double eps, Affine affine, RmsNormForm form, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& input) const;

    /// The weights become one.
    void initialise() override;

    at::Tensor weight;

private:
    std::int64_t m_width;
    double m_eps;
    RmsNormForm m_form;
};

} // namespace headroom::models
