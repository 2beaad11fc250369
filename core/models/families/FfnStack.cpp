// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/FfnStack.h"

#include "core/config/models/FfnStackFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

namespace headroom::models {
namespace {

FeedForwardOptions layerOptions(const config::ValueMap& fields)
{
    return {.dim = fields.at("dim").integer(),
        .dimOut = fields.at("dim").integer(),
        .inner = config::innerWidth(fields),
        .activation = activationFromName(fields.at("activation_fn").text()),
        .dropout = fields.at("dropout").real(),
        .bias = fields.at("bias").boolean() ? Bias::On : Bias::Off};
}

} // namespace

FfnStack::FfnStack(const config::ValueMap& fields, const at::TensorOptions& options)
{
    const auto layers = register_module("layers", std::make_shared<Container>());
    const std::int64_t count = fields.at("num_layers").integer();
    FeedForwardOptions layer = layerOptions(fields);
    for (std::int64_t index = 0; index < count; ++index) {
        if (index + 1 == count)
            layer.dimOut = config::outputWidth(fields);
        m_layers.push_back(
            layers->register_module(std::to_string(index), std::make_shared<FeedForward>(layer, options)));
    }
}

at::Tensor FfnStack::forward(const Inputs& inputs)
{
    const tensor::ModuleScope scope(*this);
    at::Tensor hidden = inputs.at("hidden_states");
    for (std::int64_t index = 0; index < static_cast<std::int64_t>(m_layers.size()); ++index) {
        const auto block = [layer = m_layers[static_cast<std::size_t>(index)]](const std::vector<at::Tensor>& in) {
            return std::vector<at::Tensor>{layer->forward(in[0])};
        };
        hidden = runBlock(index, block, {std::move(hidden)})[0];
    }
    return hidden;
}

std::vector<torch::nn::Module*> FfnStack::blocks()
{
    return modulesOf(m_layers);
}

std::vector<FeedForward*> FfnStack::feedForwards()
{
    std::vector<FeedForward*> result;
    for (const auto& layer : m_layers)
        result.push_back(layer.get());
    return result;
}

Inputs ffnStackInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    const auto& shapes = configuration.workload.shapes;
    const std::vector<std::int64_t> size{shapes.at("batch").integer(), shapes.at("sequence_length").integer(),
        configuration.modelFields.at("dim").integer()};
    return {{"hidden_states", at::randn(size, options)}};
}

} // namespace headroom::models
