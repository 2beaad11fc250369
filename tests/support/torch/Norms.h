// SPDX-License-Identifier: Apache-2.0
//
// Norms of tensors in float64, for comparisons with reference values.
#pragma once

#include "core/tensor/Torch.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace headroom {

inline double l2Norm(const at::Tensor& tensor)
{
    return tensor.detach().to(at::kDouble).norm().item<double>();
}

/// The L2 norm over all elements of all tensors.
inline double l2Norm(const std::vector<at::Tensor>& tensors)
{
    double squares = 0;
    for (const at::Tensor& tensor : tensors)
        squares += std::pow(l2Norm(tensor), 2);
    return std::sqrt(squares);
}

/// The norm of the difference divided by the norm of the expected values, over all tensors; the norm of the difference
/// if the expected values are zero.
inline double relativeL2(const std::vector<at::Tensor>& values, const std::vector<at::Tensor>& expected)
{
    std::vector<at::Tensor> differences;
    for (std::size_t i = 0; i < expected.size(); ++i)
        differences.push_back(values.at(i).detach().to(at::kDouble) - expected[i].detach().to(at::kDouble));
    const double norm = l2Norm(expected);
    return norm > 0 ? l2Norm(differences) / norm : l2Norm(differences);
}

inline double relativeL2(const at::Tensor& value, const at::Tensor& expected)
{
    return relativeL2(std::vector{value}, std::vector{expected});
}

/// The norm of the gradients of all parameters, each of which must have one.
inline double gradientNorm(const torch::nn::Module& model)
{
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : model.parameters())
        gradients.push_back(parameter.grad());
    return l2Norm(gradients);
}

} // namespace headroom
