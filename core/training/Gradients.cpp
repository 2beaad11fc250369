// SPDX-License-Identifier: Apache-2.0
#include "core/training/Gradients.h"

namespace headroom::training {

std::vector<at::Tensor> gradientsOf(const std::vector<at::Tensor>& parameters)
{
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : parameters)
        if (parameter.grad().defined())
            gradients.push_back(parameter.grad());
    return gradients;
}

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
    at::_foreach_mul_(gradientsOf(parameters), scale);
}

at::Tensor gradientNorm(const std::vector<at::Tensor>& parameters)
{
    const torch::NoGradGuard noGradients;
    const std::vector<at::Tensor> gradients = gradientsOf(parameters);
    if (gradients.empty())
        return {};
    return at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients, 2)), 2);
}

} // namespace headroom::training
