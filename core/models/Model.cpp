// SPDX-License-Identifier: Apache-2.0
#include "core/models/Model.h"

#include "core/base/Error.h"
#include "core/memory/ParameterStorage.h"
#include "core/models/layers/Initialised.h"

namespace headroom::models {

void Model::setBlockExecution(std::unique_ptr<BlockExecution> execution)
{
    m_blockExecution = std::move(execution);
}

std::vector<at::Tensor> Model::runBlock(
    std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs)
{
    if (m_blockShortcut == nullptr)
        return reallyRunBlock(index, forward, inputs);
    return m_blockShortcut->run(index, [&] { return reallyRunBlock(index, forward, inputs); }, inputs);
}

std::string Model::blockFormOf(std::int64_t index) const
{
    return m_blockExecution ? m_blockExecution->formOf(index) : std::string();
}

std::vector<at::Tensor> Model::reallyRunBlock(
    std::int64_t index, const BlockForward& forward, const std::vector<at::Tensor>& inputs)
{
    return m_blockExecution ? m_blockExecution->run(index, forward, inputs) : forward(inputs);
}

std::vector<at::Tensor> Model::forwardToLoss(const Inputs&)
{
    throw UsageError(
        "found model for a model whose forward returns no loss", "workload.loss", "mean, mse, mean_square");
}

void initialise(torch::nn::Module& module)
{
    const torch::NoGradGuard noGradients;
    if (auto* initialised = dynamic_cast<Initialised*>(&module))
        initialised->initialise();
    for (const auto& child : module.children())
        initialise(*child);
}

// Visiting children first would change the order of random draws.
void initialiseOneByOne(torch::nn::Module& model, const ModuleLoaded& loaded)
{
    const torch::NoGradGuard noGradients;
    for (const auto& item : model.named_modules()) {
        tensor::allocateParameters(*item.value());
        if (auto* initialised = dynamic_cast<Initialised*>(item.value().get()))
            initialised->initialise();
        loaded(item.key(), *item.value());
    }
}

std::int64_t parameterCount(const torch::nn::Module& module)
{
    std::int64_t count = 0;
    for (const at::Tensor& parameter : module.parameters())
        count += parameter.numel();
    return count;
}

Bytes parameterBytes(const torch::nn::Module& module)
{
    Bytes bytes = 0;
    for (const at::Tensor& parameter : module.parameters())
        bytes += static_cast<Bytes>(parameter.nbytes());
    return bytes;
}

} // namespace headroom::models
