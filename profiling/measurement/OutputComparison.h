// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "core/tensor/Torch.h"

#include <functional>

namespace headroom::collectors {

/// Splits a number of elements into chunks that are processed one after the other: float64 copies of whole tensors
/// would not fit on a device that the trial just filled.
void forEachChunk(std::int64_t elements, const std::function<void(std::int64_t begin, std::int64_t count)>& action);

/// The deviation of an output from the one it should equal, computed in float64 on the baseline's device (the output
/// may have been moved to host memory). Nullopt for meta tensors (they have no values) and for tensors of different
/// shapes.
std::optional<protocol::Numerics> compareOutputs(const at::Tensor& output, const at::Tensor& baseline);

} // namespace headroom::collectors
