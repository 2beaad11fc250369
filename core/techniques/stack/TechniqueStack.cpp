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
    std::vector<models::ModuleLoaded> hooks;
    for (const auto& [key, technique] : m_techniques)
        if (models::ModuleLoaded hook = technique->loadHook())
            hooks.push_back(std::move(hook));
    if (hooks.empty())
        return models::buildModel(m_configuration, options);
    return models::buildModel(m_configuration, options, [&](const std::string& path, torch::nn::Module& module) {
        for (const models::ModuleLoaded& hook : hooks)
            hook(path, module);
    });
}

const StepHookLists& TechniqueStack::apply(models::Model& model)
{
    const tensor::RandomState surrounding(devicesOf(model));
    tensor::seedGenerators(m_configuration.workload.seed + kApplySeedOffset);
    m_hooks = {};
    for (const auto& [key, technique] : m_techniques)
        m_hooks.append(key, technique->apply(model));
    surrounding.restore();
    return m_hooks;
}

bool TechniqueStack::followsBlocks() const
{
    return std::ranges::any_of(m_techniques, [](const auto& technique) { return technique.second->followsBlocks(); });
}

std::map<std::string, Counters> TechniqueStack::counters() const
{
    std::map<std::string, Counters> result;
    for (const auto& [key, technique] : m_techniques)
        result[key] = technique->counters();
    return result;
}

bool TechniqueStack::countRepeated(
    std::int64_t block, std::int64_t like, const std::map<std::string, Counters>& counted)
{
    return std::ranges::all_of(m_techniques, [&](const auto& technique) {
        return technique.second->countRepeated({block, like, counted.at(technique.first)});
    });
}

std::map<std::string, std::string> TechniqueStack::effective() const
{
    std::map<std::string, std::string> result;
    for (const auto& [key, technique] : m_techniques)
        result[key] = technique->effective();
    return result;
}

} // namespace headroom::techniques
