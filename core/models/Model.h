// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/models/Block.h"
#include "core/models/layers/FeedForward.h"
#include "core/tensor/Torch.h"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace headroom::models {

/// A model's inputs, by the argument names of upstream's forward.
using Inputs = std::map<std::string, at::Tensor>;

/// Undefined if the input is not given.
inline at::Tensor optionalInput(const Inputs& inputs, const char* name)
{
    const auto found = inputs.find(name);
    return found == inputs.end() ? at::Tensor() : found->second;
}

/// A model of the zoo: has upstream's parameter names, and gives techniques access to its layers.
class Model : public torch::nn::Module {
public:
    /// The first output. Shapes are the family's, documented with its class.
    virtual at::Tensor forward(const Inputs& inputs) = 0;

    /// The loss that the forward computes itself, a scalar, and behind it the forward's other outputs. Throws
    /// UsageError for a model that computes none.
    virtual std::vector<at::Tensor> forwardToLoss(const Inputs& inputs);
    /// The input whose next tokens the output's logits predict.
    virtual std::string tokenInput() const { return "input_ids"; }

    /// Every feed-forward of the model in execution order; borrowed.
    virtual std::vector<FeedForward*> feedForwards() = 0;

    /// The repeated blocks in execution order, as the family's closed form counts them; borrowed. Each opens a
    /// ModuleScope around its forward.
    virtual std::vector<torch::nn::Module*> blocks() { return {}; }
    virtual std::int64_t blockCount() { return static_cast<std::int64_t>(blocks().size()); }

    /// What blocks compute, as far as their modules and parameters do not tell: blocks with equal texts do the same
    /// with the same inputs. Empty: modules and parameters tell all.
    virtual std::vector<std::string> blockComputations() const { return {}; }

    /// Names of inputs that the forward reads on the host, whatever the device.
    virtual std::set<std::string> hostInputs() const { return {}; }

    /// Installs the way in which blocks are run; null: the default.
    void setBlockExecution(std::unique_ptr<BlockExecution> execution);
    /// Takes it out again, for one that stands around it; null: the default. Blocks then run by default.
    std::unique_ptr<BlockExecution> takeBlockExecution() { return std::move(m_blockExecution); }

    /// How the installed execution runs this block (BlockExecution::formOf).
    std::string blockFormOf(std::int64_t index) const;

    /// Borrowed; null: none.
    void setBlockShortcut(BlockShortcut* shortcut) { m_blockShortcut = shortcut; }

protected:
    /// Runs a block by the installed execution, or by default; or by a shortcut.
    std::vector<at::Tensor> runBlock(
        std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs);

private:
    std::vector<at::Tensor> reallyRunBlock(
        std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs);

    std::unique_ptr<BlockExecution> m_blockExecution;
    BlockShortcut* m_blockShortcut = nullptr;
};

/// A model's list of blocks in the form of Model::blocks; borrowed.
template <typename Block> std::vector<torch::nn::Module*> modulesOf(const std::vector<std::shared_ptr<Block>>& blocks)
{
    std::vector<torch::nn::Module*> result;
    for (const auto& block : blocks)
        result.push_back(block.get());
    return result;
}

/// The feed-forwards of blocks that have one each, in the form of Model::feedForwards; borrowed.
template <typename Block> std::vector<FeedForward*> feedForwardsOf(const std::vector<std::shared_ptr<Block>>& blocks)
{
    std::vector<FeedForward*> result;
    for (const auto& block : blocks)
        result.push_back(&block->feedForward());
    return result;
}

/// Called for each module of a model that is being loaded, parents before their children, when its own parameters have
/// been allocated and filled: they may then be moved elsewhere, or converted to another dtype.
using ModuleLoaded = std::function<void(const std::string& path, torch::nn::Module& module)>;

/// Allocates memory for parameters that have none, fills them as `initialise` would, in the same order, and calls
/// `loaded` for each module. So at most one module's parameters at a time are in the state in which they were built.
void initialiseOneByOne(torch::nn::Module& model, const ModuleLoaded& loaded);

/// Fills parameters as upstream does for training from scratch. On meta tensors nothing is written.
void initialise(torch::nn::Module& module);

/// Number of elements, or bytes, of all parameters.
std::int64_t parameterCount(const torch::nn::Module& module);
Bytes parameterBytes(const torch::nn::Module& module);

} // namespace headroom::models
