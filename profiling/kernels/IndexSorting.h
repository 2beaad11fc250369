// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// Takes and returns what CUDA kernels allocate to sort indices together with their positions, by this many of the
/// lowest bits: the positions before the sort, and CUB's temporary storage. To be called under KernelRules of a CUDA
/// device.
void sortIndices(const at::Tensor& indices, std::int64_t bits);

/// The widest rows that CUDA sorts in one kernel, in place (aten/src/ATen/native/cuda/Sort.cpp, should_use_small_sort).
inline constexpr std::int64_t kMostSortedInPlace = 4096;

/// How often a sort of rows of this width reads and writes all keys and their positions.
std::int64_t sortPasses(const at::Tensor& keys, std::int64_t width);

/// CUB's temporary storage to sort pairs of these keys and values by so many of the lowest bits.
at::Tensor sortScratch(const at::Tensor& keys, const at::Tensor& values, std::int64_t bits);

} // namespace headroom::collectors
