// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::tensor {

/// The dispatcher's key of Headroom's autocast: above autograd, like LibTorch's own, and of a backend that nobody has.
inline constexpr c10::DispatchKey kAutocastKey = c10::DispatchKey::AutocastPrivateUse1;

/// Registers what autocast does with the ops of its lists, once per process: their arguments are cast as
/// `autocastPolicy` says, and the op is called without autocast. Kernels see ops of threads alone that include the key.
void registerAutocastKernels();

} // namespace headroom::tensor
