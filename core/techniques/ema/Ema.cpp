// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/Ema.h"

#include "core/base/Error.h"
#include "core/memory/MemoryAttribution.h"
#include "core/memory/MemoryScopes.h"

namespace headroom::techniques {
namespace {

using config::EmaPlacement;

std::int64_t shadowBytes(const Tensors& tensors)
{
    std::int64_t bytes = 0;
    for (const at::Tensor& tensor : tensors)
        bytes += static_cast<std::int64_t>(tensor.nbytes());
    return bytes;
}

} // namespace

Ema::Ema(const config::TechniqueSetting& setting)
    : m_settings(config::emaSettings(setting))
{
}

StepHooks Ema::apply(models::Model& model)
{
    if (m_settings.placement == EmaPlacement::Off)
        return {};
    const tensor::MemoryScope category(config::MemoryCategory::Ema);
    const tensor::MemoryScope technique("ema");
    m_parameters = model.parameters();
    if (m_settings.parameters == config::EmaParameters::Trainable)
        std::erase_if(m_parameters, [](const at::Tensor& parameter) { return !parameter.requires_grad(); });
    auto shadows = makeEmaShadows(m_settings, m_parameters);
    for (std::size_t i = 0; i < shadows.size(); ++i)
        m_states.emplace_back(m_settings.schedules[i], std::move(shadows[i]));
    return stepHooks();
}

StepHooks Ema::stepHooks()
{
    return {.beginStep = [this] { beginStep(); },
        .prepareInputs = [this](models::Inputs&) { updateDue(); },
        .microStepDone = [this](const at::Tensor&) { letComputeWait(); },
        .parametersUpdated = [this] { parametersUpdated(); }};
}

void Ema::beginStep()
{
    m_updates = 0;
    for (EmaModel& state : m_states) {
        state.placement().clearTraffic();
        // A trace may begin long after the shadows did.
        for (const at::Tensor& shadow : state.placement().tensors())
            tensor::relabel(
                shadow, {{config::MemoryCategory::Ema, tensor::kNoModule, "ema"}, tensor::LabelChange::Rule::Claim});
    }
}

void Ema::updateDue()
{
    if (m_isDue)
        update();
}

void Ema::letComputeWait()
{
    for (EmaModel& state : m_states)
        state.letComputeWait();
}

void Ema::parametersUpdated()
{
    if (++m_optimizerUpdates % m_settings.interval != 0)
        return;
    if (m_isDue)
        throw TrialError("the parameters have changed before an update has read them", "ema = host:async",
            "a step that tells of its inputs");
    m_isDue = true;
    if (m_settings.placement != EmaPlacement::HostAsync)
        update();
}

void Ema::update()
{
    m_isDue = false;
    for (EmaModel& state : m_states)
        state.step(m_parameters);
    m_updates += static_cast<std::int64_t>(m_states.size());
}

void Ema::finish()
{
    updateDue();
    for (EmaModel& state : m_states)
        state.finish();
}

std::vector<EmaModel>& Ema::states()
{
    finish();
    return m_states;
}

Counters Ema::counters() const
{
    Counters counters{{"updates", m_updates}, {"bytes_to_host", 0}, {"bytes_to_device", 0}, {"pinned_allocations", 0}};
    for (const EmaModel& state : m_states) {
        const EmaTraffic& traffic = state.placement().traffic();
        counters["bytes_to_host"] += traffic.bytesToHost;
        counters["bytes_to_device"] += traffic.bytesToDevice;
        counters["pinned_allocations"] += traffic.pinnedAllocations;
    }
    return counters;
}

std::string Ema::effective() const
{
    if (m_states.empty())
        return "off";
    const std::string shadows = m_states.size() == 1 ? "a shadow" : std::to_string(m_states.size()) + " shadows";
    const std::string interval =
        m_settings.interval == 1 ? "" : ", every " + std::to_string(m_settings.interval) + " optimizer updates";
    return shadows + " of " + std::to_string(m_parameters.size()) + " parameters, "
        + std::to_string(shadowBytes(m_states.front().shadow())) + " bytes each, "
        + m_states.front().placement().description() + ", " + toText(m_settings.mode) + interval;
}

} // namespace headroom::techniques
