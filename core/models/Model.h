// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Bytes.h"
#include "core/models/Block.h"
#include "core/models/layers/FeedForward.h"
#include "core/tensor/Torch.h"

#include <map>
#include <string>

namespace headroom::models {

/// A model's inputs by the names of upstream's forward arguments.
using Inputs = std::map<std::string, at::Tensor>;

/// A model of the zoo: upstream's parameter names, and where techniques find their layers.
class Model : public torch::nn::Module {
public:
    /// The first output. Shapes are the family's, documented with its class.
    virtual at::Tensor forward(const Inputs& inputs) = 0;

    /// Every feed-forward of the model in the order in which they run; borrowed.
    virtual std::vector<FeedForward*> feedForwards() = 0;

    /// Number of blocks, as the family's closed form counts them.
    virtual std::int64_t blockCount() const = 0;

    /// Takes over how blocks are run; null: the plain way.
    void setBlockExecution(std::unique_ptr<BlockExecution> execution);

protected:
    /// Runs a block, the plain way or the installed one.
    std::vector<at::Tensor> runBlock(
        std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs);

private:
    std::unique_ptr<BlockExecution> m_blockExecution;
};

/// Fills parameters as upstream does when a model is trained from scratch. On meta tensors nothing is written.
void initialise(torch::nn::Module& module);

/// Number of elements, and bytes, of all parameters.
std::int64_t parameterCount(const torch::nn::Module& module);
Bytes parameterBytes(const torch::nn::Module& module);

} // namespace headroom::models
