// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/kernels/OpArguments.h"

namespace headroom::collectors {

/// Attention by LibTorch's chain of plain ops where a mask is added: the given one, an additive one, or the causal one
/// where none is given. LibTorch's own function adds it in place on every device but meta, which it takes for a kind of
/// tensor that is not written to; here it is in place on meta too.
///
/// query: [batch, heads, tokens, channels]; key, value: [batch, heads or fewer, tokens, channels]. Source:
/// aten/src/ATen/native/transformers/attention.cpp.
at::Tensor maskedMathAttention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const OptionalTensor& mask, double dropout, std::optional<double> scale, bool groupedQueries);

} // namespace headroom::collectors
