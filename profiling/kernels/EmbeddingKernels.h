// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// Rows of a table and the gradient of the table, which LibTorch lacks on meta.
void registerEmbeddingKernels(torch::Library& kernels);

} // namespace headroom::collectors
