// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaModel.h"

#include "core/base/Error.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterHome.h"

namespace headroom::techniques {
namespace {

using tensor::TransferDirection;
using tensor::TransferWait;

void check(bool holds, const char* what, const char* valid)
{
    if (!holds)
        throw UsageError(what, "state of an EMA", valid);
}

void checkSchedule(const config::EmaSchedule& schedule)
{
    check(schedule.decay >= 0 && schedule.decay <= 1, "decay is out of range", "a number from 0 to 1");
    check(schedule.minDecay >= 0 && schedule.minDecay <= 1, "min_decay is out of range", "a number from 0 to 1");
    check(schedule.updateAfterStep >= 0, "update_after_step is negative", "an integer from 0");
    check(schedule.invGamma > 0, "inv_gamma is not positive", "a number above 0");
    check(schedule.power >= 0, "power is negative", "a number from 0");
}

void checkShapes(const Tensors& found, const Tensors& expected)
{
    check(found.size() == expected.size(), "it has another number of parameters", "as many as the EMA follows");
    for (std::size_t i = 0; i < found.size(); ++i)
        check(found[i].defined() && found[i].sizes() == expected[i].sizes(), "a parameter has another shape",
            "the shapes of the parameters that the EMA follows");
}

// Into the parameters' own memory, wherever they rest.
void overwrite(const Tensors& parameters, const Tensors& values)
{
    const torch::NoGradGuard noGradients;
    auto next = values.begin();
    for (const Tensors& run : tensor::parameterRuns(parameters)) {
        const tensor::ParametersOnDevice onDevice(run);
        for (const at::Tensor& parameter : run)
            tensor::transfer(*next++, parameter.detach(), TransferDirection::ToDevice, TransferWait::Blocking);
    }
}

std::unique_ptr<EmaShadow> onlyShadow(config::EmaSettings settings, const Tensors& parameters)
{
    settings.schedules.resize(1);
    auto shadows = makeEmaShadows(settings, parameters);
    if (shadows.empty())
        throw UsageError("found off", "ema", "device, host, host:async, host:cpu");
    return std::move(shadows.front());
}

} // namespace

EmaModel::EmaModel(const config::EmaSchedule& schedule, std::unique_ptr<EmaShadow> shadow)
    : m_schedule(schedule)
    , m_shadow(std::move(shadow))
{
    checkSchedule(schedule);
}

EmaModel::EmaModel(const config::EmaSettings& settings, const Tensors& parameters)
    : EmaModel(settings.schedules.empty() ? config::EmaSchedule{} : settings.schedules.front(),
          onlyShadow(settings, parameters))
{
}

void EmaModel::step(const Tensors& parameters)
{
    const torch::NoGradGuard noGradients;
    const tensor::MemoryScope category(config::MemoryCategory::Ema);
    const tensor::MemoryScope technique("ema");
    m_decay = m_schedule.decayAt(++m_optimizationStep);
    m_shadow->update(parameters, 1 - m_decay);
}

void EmaModel::copyTo(const Tensors& parameters)
{
    finish();
    checkShapes(parameters, shadow());
    overwrite(parameters, shadow());
}

void EmaModel::store(const Tensors& parameters)
{
    letComputeWait();
    m_stored.clear();
    for (const at::Tensor& parameter : parameters) {
        const at::Tensor data = tensor::dataOnDevice(parameter);
        m_stored.push_back(
            tensor::emptyOnHost(data.sizes(), data.scalar_type(), data.device(), tensor::HostMemory::Pageable).tensor);
        tensor::transfer(data, m_stored.back(), TransferDirection::ToHost, TransferWait::Blocking);
    }
}

void EmaModel::restore(const Tensors& parameters)
{
    if (m_stored.empty())
        throw UsageError("nothing is stored that could be restored", "ema", "store before restore");
    letComputeWait();
    checkShapes(parameters, m_stored);
    overwrite(parameters, m_stored);
    m_stored.clear();
}

EmaState EmaModel::state()
{
    finish();
    return {m_schedule, m_optimizationStep, shadow()};
}

void EmaModel::load(const EmaState& state)
{
    checkSchedule(state.schedule);
    check(state.optimizationStep >= 0, "optimization_step is negative", "an integer from 0");
    if (state.shadow)
        checkShapes(*state.shadow, shadow());
    m_schedule = state.schedule;
    setOptimizationStep(state.optimizationStep);
    if (!state.shadow)
        return;
    finish();
    const torch::NoGradGuard noGradients;
    for (std::size_t i = 0; i < state.shadow->size(); ++i)
        at::Tensor(shadow()[i]).copy_((*state.shadow)[i]);
}

void EmaModel::setOptimizationStep(std::int64_t updates)
{
    check(updates >= 0, "optimization_step is negative", "an integer from 0");
    m_optimizationStep = updates;
}

} // namespace headroom::techniques
