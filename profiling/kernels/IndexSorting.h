// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// Takes and returns what CUDA kernels allocate to sort indices together with their positions, by this many of the
/// lowest bits: the positions before the sort, and CUB's temporary storage. To be called under KernelRules of a CUDA
/// device.
void sortIndices(const at::Tensor& indices, std::int64_t bits);

/// CUB's temporary storage to sort pairs of these keys and values by so many of the lowest bits.
at::Tensor sortScratch(const at::Tensor& keys, const at::Tensor& values, std::int64_t bits);

} // namespace headroom::collectors
