// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::models {

/// One block's computation: everything it reads except its weights is passed as tensors (undefined for an absent
/// optional one). It may be called again during backward, so it owns what it refers to: a graph may outlive the model.
using BlockForward = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>& inputs)>;

/// A different way to run a model's blocks; installed by techniques.
class BlockExecution {
public:
    virtual ~BlockExecution() = default;

    /// `index` counts the model's blocks in execution order, from 0.
    virtual std::vector<at::Tensor> run(
        std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs) = 0;

    /// How it runs this block: blocks with equal texts are run in the same way.
    virtual std::string formOf(std::int64_t /*index*/) const { return {}; }
};

/// Stands between a model and its blocks where a simulation already knows what a block does.
class BlockShortcut {
public:
    virtual ~BlockShortcut() = default;

    /// `real` runs the block as it would be run without a shortcut.
    virtual std::vector<at::Tensor> run(std::int64_t index, const std::function<std::vector<at::Tensor>()>& real,
        const std::vector<at::Tensor>& inputs) = 0;
};

} // namespace headroom::models
