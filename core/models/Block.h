// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <functional>
#include <vector>

namespace headroom::models {

/// One block's computation: everything that it reads but its weights comes in as tensors (undefined where an optional
/// one is absent). It may be called again during backward, so it owns what it refers to: a graph may outlive the model.
using BlockForward = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>& inputs)>;

/// Another way to run a model's blocks; techniques install one.
class BlockExecution {
public:
    virtual ~BlockExecution() = default;

    /// `index` counts the model's blocks in the order in which they run, from 0.
    virtual std::vector<at::Tensor> run(
        std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs) = 0;
};

} // namespace headroom::models
