// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"
#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::training {

/// The gradients that there are, in order.
std::vector<at::Tensor> gradientsOf(const std::vector<at::Tensor>& parameters);

/// Clears gradients between steps: dropped, zeroed in place, or kept so that steps accumulate into them.
void clearGradients(const std::vector<at::Tensor>& parameters, config::GradientClearing clearing);

/// Scales all gradients so that their joint L2 norm is at most `maximum`, as PyTorch's clip_grad_norm_; nothing is read
/// back from the device.
void clipGradients(const std::vector<at::Tensor>& parameters, double maximum);

/// The joint L2 norm of all gradients: the norm of their norms. Undefined when there are none.
at::Tensor gradientNorm(const std::vector<at::Tensor>& parameters);

} // namespace headroom::training
