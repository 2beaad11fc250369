// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// Carries out in place, on meta, what a backward formula of LibTorch computes in place on a real device.
///
/// Formulas that change a tensor of their own ask areAnyTensorSubclassLike first (ATen/TensorSubclassLikeUtils.h),
/// which is true of meta tensors, and then make a new tensor of the same size. docs/simulated-ops.md lists all of
/// them. To be called while a formula runs, before the op does; true when the op was carried out here: `stack` then
/// ends with its result.
bool computedInPlace(const c10::OperatorHandle& op, torch::jit::Stack& stack);

} // namespace headroom::collectors
