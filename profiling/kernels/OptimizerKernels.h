// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// Kernels over lists of tensors. Those that change them in place LibTorch lacks on meta, the fused optimizers and what
/// float16's loss scale needs: they take no memory, as on a real device. The norms of a list are formed in one go on
/// CUDA, one by one on the CPU and on LibTorch's meta.
void registerOptimizerKernels(torch::Library& kernels);

} // namespace headroom::collectors
