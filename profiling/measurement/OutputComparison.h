// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "core/tensor/Torch.h"

#include <functional>

namespace headroom::collectors {

/// Cuts a number of elements into parts to be looked at one after the other: float64 copies of whole tensors would not
/// fit where the trial just did.
void forEachChunk(std::int64_t elements, const std::function<void(std::int64_t begin, std::int64_t count)>& action);

/// How far an output is from the one it should equal; computed in float64 where the
/// baseline is (the output may have been put away in host memory).
/// Nothing for meta tensors (they have no values) and for tensors of different shape.
std::optional<protocol::Numerics> compareOutputs(const at::Tensor& output, const at::Tensor& baseline);

} // namespace headroom::collectors
