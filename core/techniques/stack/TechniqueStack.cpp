// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/stack/TechniqueStack.h"

#include "core/base/Error.h"
#include "core/memory/ParameterHome.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/Attention.h"
#include "core/techniques/InputTransfer.h"
#include "core/techniques/LossReadback.h"
#include "core/techniques/Trainable.h"
#include "core/techniques/casting/Casting.h"
#include "core/techniques/checkpointing/Checkpointing.h"
#include "core/techniques/ema/Ema.h"
#include "core/techniques/offload/Offload.h"
#include "core/techniques/optimizer/Optimizer.h"
#include "core/techniques/split_ffn/SplitFfn.h"
#include "core/tensor/DeviceContext.h"
#include "core/tensor/RandomState.h"

#include <algorithm>
#include <type_traits>

namespace headroom::techniques {
namespace {

// Neither the numbers of the weights nor those of the batch.
constexpr std::int64_t kApplySeedOffset = 3;

std::vector<c10::Device> devicesOf(const models::Model& model)
{
    std::vector<c10::Device> devices;
    for (const at::Tensor& parameter : model.parameters())
        if (std::ranges::find(devices, tensor::deviceOf(parameter)) == devices.end())
            devices.push_back(tensor::deviceOf(parameter));
    return devices;
}

template <typename T> TechniqueFactory factory(const char* key)
{
    return {key,
        [](const config::TechniqueSetting& setting,
            const config::Configuration& configuration) -> std::unique_ptr<Technique> {
            if constexpr (std::is_constructible_v<T, const config::TechniqueSetting&, const config::Configuration&>)
                return std::make_unique<T>(setting, configuration);
            else
                return std::make_unique<T>(setting);
        }};
}

} // namespace

const std::vector<TechniqueFactory>& techniqueFactories()
{
    static const std::vector<TechniqueFactory> factories{factory<Trainable>("trainable"),
        factory<Optimizer>("optimizer"), factory<Casting>("casting"), factory<Offload>("offload"),
        factory<SplitFfn>("split_ffn"), factory<Checkpointing>("checkpointing"), factory<Attention>("attention"),
        factory<Ema>("ema"), factory<LossReadback>("loss_readback"), factory<InputTransfer>("input_transfer")};
    return factories;
}

TechniqueStack::TechniqueStack(const config::Configuration& configuration, config::ShapesAre shapes)
    : m_configuration(configuration)
{
    const auto reasons = shapes == config::ShapesAre::Known ? config::conflicts(configuration)
                                                            : config::conflictsOfAnyShapes(configuration);
    if (!reasons.empty())
        throw UsageError(reasons.front(), "techniques");
    for (const TechniqueFactory& technique : techniqueFactories())
        m_techniques.emplace_back(
            technique.key, technique.make(configuration.techniques.at(technique.key), configuration));
}

std::shared_ptr<models::Model> TechniqueStack::load(const at::TensorOptions& options)
{
    const bool direct =
        std::ranges::any_of(m_techniques, [](const auto& item) { return item.second->loadsDirectly(); });
    if (!direct)
        return models::buildModel(m_configuration, options);
    return models::buildModel(m_configuration, options, [this](const std::string& path, torch::nn::Module& module) {
        for (const auto& [key, technique] : m_techniques)
            technique->moduleLoaded(path, module);
    });
}

void TechniqueStack::apply(models::Model& model)
{
    const tensor::RandomState surrounding(devicesOf(model));
    tensor::seedGenerators(m_configuration.workload.seed + kApplySeedOffset);
    for (const auto& [key, technique] : m_techniques)
        technique->apply(model);
    surrounding.restore();
}

void TechniqueStack::beginStep()
{
    for (const auto& [key, technique] : m_techniques)
        technique->beginStep();
}

void TechniqueStack::holdInputs(models::Inputs& inputs)
{
    for (const auto& [key, technique] : m_techniques)
        technique->holdInputs(inputs);
}

// From the host towards the layers: a batch crosses as it is, and is cast on the device.
void TechniqueStack::prepareInputs(models::Inputs& inputs)
{
    for (auto item = m_techniques.rbegin(); item != m_techniques.rend(); ++item)
        item->second->prepareInputs(inputs);
}

void TechniqueStack::microStepDone(const at::Tensor& loss)
{
    for (const auto& [key, technique] : m_techniques)
        technique->microStepDone(loss);
}

void TechniqueStack::parametersUpdated(models::Model& model)
{
    for (const auto& [key, technique] : m_techniques)
        technique->parametersUpdated(model);
}

bool TechniqueStack::followsUpdates() const
{
    return std::ranges::any_of(m_techniques, [](const auto& item) { return item.second->followsUpdates(); });
}

void TechniqueStack::updateDone(const at::Tensor& loss)
{
    for (const auto& [key, technique] : m_techniques)
        technique->updateDone(loss);
}

ParameterUpdater* TechniqueStack::optimizer() const
{
    for (const auto& [key, technique] : m_techniques)
        if (ParameterUpdater* optimizer = technique->optimizer())
            return optimizer;
    return nullptr;
}

std::map<std::string, Counters> TechniqueStack::counters() const
{
    std::map<std::string, Counters> result;
    for (const auto& [key, technique] : m_techniques)
        result[key] = technique->counters();
    return result;
}

std::map<std::string, std::string> TechniqueStack::effective() const
{
    std::map<std::string, std::string> result;
    for (const auto& [key, technique] : m_techniques)
        result[key] = technique->effective();
    return result;
}

} // namespace headroom::techniques
