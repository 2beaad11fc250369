// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <string>

namespace headroom::models {

/// The six activation kinds of diffusers' FeedForward, and T5's, gated by the tanh GELU op by op
/// (transformers' gelu_new), which diffusers has no name for.
enum class Activation { Gelu, GeluApproximate, Geglu, GegluApproximate, Swiglu, LinearSilu, GegluTanh };

/// Throws UsageError for an unknown name.
Activation activationFromName(const std::string& name);

/// True for the kinds whose projection has a value half and a gate half.
bool isGated(Activation activation);

/// The activation of a projection h, passed by value so that it is freed as early as eager kernels allow.
/// Gated kinds: h is [..., 2 * inner], value half first; result [..., inner]. The others keep the shape.
at::Tensor activate(Activation activation, at::Tensor h);

/// function(gate), for a gated kind.
at::Tensor gateOf(Activation activation, const at::Tensor& gate);

/// value * function(gate), for a gated kind.
at::Tensor applyGate(Activation activation, const at::Tensor& value, const at::Tensor& gate);

} // namespace headroom::models
