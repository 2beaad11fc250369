// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/Trainable.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterHome.h"
#include "core/tensor/DeviceContext.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

using TrainableKind = config::TrainableNotation::Kind;

std::vector<std::string> targetsOf(const config::TechniqueSetting& setting, const config::Configuration& configuration)
{
    return config::adapterTargets(setting, *config::findModel(configuration.model, "model.name").family);
}

models::LowRankOptions adapterOptions(const config::TrainableNotation& trainable, const config::ValueMap& options)
{
    const config::Value& alpha = options.at("alpha");
    const auto rank = static_cast<double>(trainable.rank);
    return {trainable.rank, alpha.isNull() ? 1.0 : alpha.real() / rank, options.at("dropout").real()};
}

bool isTargeted(const std::string& path, const std::vector<std::string>& targets)
{
    return std::ranges::any_of(targets, [&](const std::string& target) { return config::isTargeted(path, target); });
}

enum class Trained { No, Yes };

void setTrained(const torch::nn::Module& module, Trained trained)
{
    for (at::Tensor parameter : module.parameters())
        parameter.requires_grad_(trained == Trained::Yes);
}

} // namespace

Trainable::Trainable(const config::TechniqueSetting& setting, const config::Configuration& configuration)
    : m_trainable(config::parseTrainable(setting.notation, "techniques.trainable"))
    , m_dtype(tensor::scalarType(config::trainedDtype(setting, configuration.workload)))
{
    if (m_trainable.kind != TrainableKind::Lora)
        return;
    if (config::hasOwnDtype(setting))
        m_type = " in float32";
    m_targets = targetsOf(setting, configuration);
    m_adapter = adapterOptions(m_trainable, setting.options);
}

StepHooks Trainable::apply(models::Model& model)
{
    if (m_trainable.kind != TrainableKind::All)
        setTrained(model, Trained::No);
    if (m_trainable.kind == TrainableKind::Lora)
        adapt(model);
    m_trained = m_frozen = 0;
    for (const at::Tensor& parameter : model.parameters())
        (parameter.requires_grad() ? m_trained : m_frozen) += parameter.numel();
    return {};
}

// The adapters' own Linears (lora_A, lora_B) are no targets: no target has such a name.
void Trainable::adapt(models::Model& model)
{
    const at::TensorOptions options =
        at::TensorOptions().dtype(m_dtype).device(tensor::deviceOf(model.parameters().front()));
    const tensor::MemoryScope category(config::MemoryCategory::Weights);
    const tensor::MemoryScope technique(config::kTrainableKey);
    m_adapters = 0;
    for (const auto& item : model.named_modules()) {
        auto* linear = dynamic_cast<models::Linear*>(item.value().get());
        if (linear == nullptr || !isTargeted(item.key(), m_targets))
            continue;
        if (linear->adapter() == nullptr)
            linear->adapt(m_adapter, options);
        setTrained(*linear->adapter()->a, Trained::Yes);
        setTrained(*linear->adapter()->b, Trained::Yes);
        ++m_adapters;
    }
}

Counters Trainable::counters() const
{
    return {{"trained_parameters", m_trained}, {"frozen_parameters", m_frozen}, {"adapters", m_adapters}};
}

std::string Trainable::effective() const
{
    if (m_trainable.kind == TrainableKind::All)
        return "all";
    if (m_trainable.kind == TrainableKind::None)
        return "none: " + std::to_string(m_frozen) + " parameters frozen";
    return "adapters of rank " + std::to_string(m_trainable.rank) + m_type + " on " + std::to_string(m_adapters)
        + " Linears (" + joined(m_targets) + "): " + std::to_string(m_trained) + " parameters trained, "
        + std::to_string(m_frozen) + " frozen";
}

} // namespace headroom::techniques
