// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// Dropout: one kernel with a mask of one byte an element on CUDA, a product with noise of the input's type on the CPU.
void registerDropoutKernels(torch::Library& kernels, torch::Library& composites);

} // namespace headroom::collectors
