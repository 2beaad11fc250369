// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {

/// Attention as LibTorch's sequence of plain ops with an additive mask: the given one, or the causal one if none is
/// given. LibTorch's own function adds the mask in place on every device but meta, which it treats as a kind of tensor
/// that must not be written to; here it is in place on meta too.
///
/// query: [batch, heads, tokens, channels]; key, value: [batch, heads or fewer, tokens, channels]. Source:
/// aten/src/ATen/native/transformers/attention.cpp.
at::Tensor maskedMathAttention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const OptionalTensor& mask, double dropout, std::optional<double> scale, bool groupedQueries);

/// The mask as the memory-efficient kernel reads it: rows in steps of 8 elements. One whose rows lie otherwise is
/// padded (aten/src/ATen/native/transformers/attention.cpp, preprocess_mask).
at::Tensor alignedMask(const at::Tensor& mask);

/// The gradient that the kernel writes for it: rows of a multiple of 16 elements, seen without what was added.
at::Tensor gradientOfMask(const at::Tensor& mask);

} // namespace headroom::collectors
