// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// Kernels that change lists of tensors in place and that LibTorch lacks on meta: the fused optimizers and what
/// float16's loss scale needs. They take no memory, as on a real device.
void registerOptimizerKernels(torch::Library& kernels);

} // namespace headroom::collectors
