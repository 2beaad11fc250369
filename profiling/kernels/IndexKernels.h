// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// The kernel behind index_put and the backward pass of index, with what CUDA's takes to add values up by their index.
void registerIndexKernels(torch::Library& kernels);

} // namespace headroom::collectors
