// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/CheckpointScope.h"

namespace headroom::tensor {

using Forward = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

inline at::Tensor checkpointed(const Forward& forward, const std::vector<at::Tensor>& inputs,
    const std::string& name = "block 0", CheckpointOptions options = {})
{
    const CheckpointScope scope(
        {name, [forward](const std::vector<at::Tensor>& in) { forward(in); }}, inputs, std::move(options));
    return forward(inputs);
}

} // namespace headroom::tensor
