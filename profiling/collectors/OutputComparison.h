// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "core/tensor/Torch.h"

namespace headroom::collectors {

/// How far an output is from the one it should equal; computed in float64.
/// Nothing for meta tensors (they have no values) and for tensors of different shape.
std::optional<protocol::Numerics> compareOutputs(const at::Tensor& output, const at::Tensor& baseline);

} // namespace headroom::collectors
