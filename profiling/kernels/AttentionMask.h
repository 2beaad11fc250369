// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// The mask as the memory-efficient kernel reads it: rows in steps of 8 elements. One whose rows lie otherwise is
/// padded (aten/src/ATen/native/transformers/attention.cpp, preprocess_mask).
at::Tensor alignedMask(const at::Tensor& mask);

/// The gradient that the kernel writes for it: rows of a multiple of 16 elements, seen without what was added.
at::Tensor gradientOfMask(const at::Tensor& mask);

} // namespace headroom::collectors
