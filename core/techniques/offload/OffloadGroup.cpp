// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/OffloadGroup.h"

namespace headroom::techniques {

OffloadGroup::OffloadGroup(
    std::vector<const torch::nn::Module*> members, OffloadedWeights weights, WeightLoader& loader)
    : m_members(std::move(members))
    , m_unit{std::move(weights)}
    , m_loader(loader)
{
    for (const auto& weight : m_unit.weights)
        m_weights[weight->parameter().unsafeGetTensorImpl()] = weight;
}

const std::shared_ptr<OffloadedWeight>& OffloadGroup::weightOf(const at::Tensor& parameter) const
{
    return m_weights.at(parameter.unsafeGetTensorImpl());
}

at::Tensor OffloadGroup::copyOnDevice(const at::Tensor& parameter)
{
    return weightOf(parameter)->copyOnDevice();
}

OffloadUnit OffloadGroup::unitOf(const std::vector<at::Tensor>& parameters) const
{
    OffloadUnit unit;
    for (const at::Tensor& parameter : parameters)
        unit.weights.push_back(weightOf(parameter));
    return unit;
}

void OffloadGroup::bring(const std::vector<at::Tensor>& parameters)
{
    OffloadUnit unit = unitOf(parameters);
    m_loader.load(unit);
}

void OffloadGroup::rest(const std::vector<at::Tensor>& parameters, tensor::ParameterUse use)
{
    OffloadUnit unit = unitOf(parameters);
    if (use == tensor::ParameterUse::Change)
        for (const auto& weight : unit.weights)
            weight->takeBack();
    m_loader.unload(unit);
}

} // namespace headroom::techniques
