// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Initialised.h"
#include "core/tensor/Torch.h"

namespace headroom::models {

enum class Affine { Off, On };

/// How the norm is computed. Library: at::rms_norm, one kernel where LibTorch has one. Chain: op by op as diffusers'
/// own RMSNorm module does, rounded before it is weighted; autograd keeps the input and its float32 copy. Raised: op by
/// op as Llama's module does; the same values, but autograd keeps the float32 copy alone.
enum class RmsNormForm { Library, Chain, Raised };

/// diffusers' RMSNorm module over the last dimension, op by op: statistics in float32, the product takes the input as
/// it is; then in the input's type, times the weight where there is one.
at::Tensor chainedRmsNorm(const at::Tensor& input, const at::Tensor& weight, double eps);

/// Llama's RMSNorm module: the input raised to float32, normalised there, back in the input's type, times the weight
/// where there is one.
at::Tensor raisedRmsNorm(const at::Tensor& input, const at::Tensor& weight, double eps);

/// x / sqrt(mean(x^2) + eps) over the last dimension, times the weight if there is one.
///
/// weight: [width], undefined without one. Computed in float32 for reduced types.
class RmsNorm : public torch::nn::Module, public Initialised {
public:
    RmsNorm(std::int64_t width, double eps, Affine affine, RmsNormForm form, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& input) const;

    /// Weights of one.
    void initialise() override;

    at::Tensor weight;

private:
    std::int64_t m_width;
    double m_eps;
    RmsNormForm m_form;
};

} // namespace headroom::models
