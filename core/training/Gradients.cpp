// SPDX-License-Identifier: Apache-2.0
#include "core/training/Gradients.h"

namespace headroom::training {
namespace {

std::vector<at::Tensor> gradientsOf(const std::vector<at::Tensor>& parameters)
{
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : parameters)
        if (parameter.grad().defined())
            gradients.push_back(parameter.grad());
    return gradients;
}

} // namespace

void clearGradients(const std::vector<at::Tensor>& parameters, config::GradientClearing clearing)
{
    if (clearing == config::GradientClearing::Keep)
        return;
    const torch::NoGradGuard noGradients;
    for (at::Tensor parameter : parameters) {
        if (clearing == config::GradientClearing::SetToNone)
            parameter.mutable_grad() = at::Tensor();
        else if (parameter.grad().defined())
            parameter.mutable_grad().zero_();
    }
}

void clipGradients(const std::vector<at::Tensor>& parameters, double maximum)
{
    const torch::NoGradGuard noGradients;
    const at::Tensor norm = gradientNorm(parameters);
    if (!norm.defined())
        return;
    // The small constant is PyTorch's, against a division by zero.
    const at::Tensor scale = (maximum / (norm + 1e-6)).clamp_max(1.0);
    for (at::Tensor gradient : gradientsOf(parameters))
        gradient.mul_(scale);
}

at::Tensor gradientNorm(const std::vector<at::Tensor>& parameters)
{
    const torch::NoGradGuard noGradients;
    std::vector<at::Tensor> norms;
    for (const at::Tensor& gradient : gradientsOf(parameters))
        norms.push_back(at::linalg_vector_norm(gradient, 2));
    return norms.empty() ? at::Tensor() : at::linalg_vector_norm(at::stack(norms), 2);
}

void sgdStep(const std::vector<at::Tensor>& parameters, double learningRate)
{
    const torch::NoGradGuard noGradients;
    for (at::Tensor parameter : parameters)
        if (parameter.grad().defined())
            parameter.add_(parameter.grad(), -learningRate);
}

} // namespace headroom::training
