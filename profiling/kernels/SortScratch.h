// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// What CUDA kernels allocate to sort indices together with the places where these were, and give back: the places as
/// they are before, and CUB's temporary storage. To be called under KernelRules of a CUDA device.
void sortIndices(const at::Tensor& indices, std::int64_t bits);

} // namespace headroom::collectors
