// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::tensor {

/// The dispatch key of Headroom's autocast: above autograd, like LibTorch's own, and of a backend that is not in use.
inline constexpr c10::DispatchKey kAutocastKey = c10::DispatchKey::AutocastPrivateUse1;

/// Registers what autocast does with the ops of its lists, once per process: their arguments are cast according to
/// `autocastPolicy`, and the op is called without autocast. The kernels only run on threads that include the key.
void registerAutocastKernels();

} // namespace headroom::tensor
