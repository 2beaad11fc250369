// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"
#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::training {

/// Clears gradients between steps: dropped, zeroed in place, or kept so that steps accumulate into them.
void clearGradients(const std::vector<at::Tensor>& parameters, config::GradientClearing clearing);

/// Scales all gradients so that their joint L2 norm is at most `maximum`; nothing is read back from the device.
void clipGradients(const std::vector<at::Tensor>& parameters, double maximum);

/// The joint L2 norm of all gradients; undefined when there are none.
at::Tensor gradientNorm(const std::vector<at::Tensor>& parameters);

/// Plain stochastic gradient descent, one parameter after the other, without state or temporaries.
void sgdStep(const std::vector<at::Tensor>& parameters, double learningRate);

} // namespace headroom::training
