// SPDX-License-Identifier: Apache-2.0
#include "core/memory/ParameterHome.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace headroom::tensor {
namespace {

// Changed only between steps; read by the thread of the step, and by the engine's threads while that one waits.
std::unordered_map<const c10::TensorImpl*, ParameterHome*>& homes()
{
    static std::unordered_map<const c10::TensorImpl*, ParameterHome*> homes;
    return homes;
}

std::unordered_map<const c10::TensorImpl*, c10::Device>& devices()
{
    static std::unordered_map<const c10::TensorImpl*, c10::Device> devices;
    return devices;
}

ParameterHome* homeOf(const at::Tensor& parameter)
{
    const auto found = homes().find(parameter.unsafeGetTensorImpl());
    return found == homes().end() ? nullptr : found->second;
}

template <typename Use> void forEachHome(const std::vector<at::Tensor>& parameters, Use use)
{
    std::vector<std::pair<ParameterHome*, std::vector<at::Tensor>>> byHome; // in the order of the parameters
    for (const at::Tensor& parameter : parameters) {
        ParameterHome* home = homeOf(parameter);
        if (home == nullptr)
            continue;
        auto found = std::ranges::find(byHome, home, [](const auto& item) { return item.first; });
        if (found == byHome.end())
            found = byHome.insert(byHome.end(), {home, {}});
        found->second.push_back(parameter);
    }
    for (const auto& [home, resting] : byHome)
        use(*home, resting);
}

} // namespace

ParameterHomeRegistration::ParameterHomeRegistration(const std::vector<at::Tensor>& parameters, ParameterHome& home)
    : m_parameters(parameters)
{
    for (const at::Tensor& parameter : m_parameters)
        homes()[parameter.unsafeGetTensorImpl()] = &home;
}

ParameterHomeRegistration::~ParameterHomeRegistration()
{
    for (const at::Tensor& parameter : m_parameters)
        homes().erase(parameter.unsafeGetTensorImpl());
}

RestingParameter::RestingParameter(const at::Tensor& parameter, c10::Device device)
    : m_parameter(parameter)
{
    devices().insert_or_assign(m_parameter.unsafeGetTensorImpl(), device);
}

RestingParameter::~RestingParameter()
{
    devices().erase(m_parameter.unsafeGetTensorImpl());
}

c10::Device deviceOf(const at::Tensor& parameter)
{
    const auto found = devices().find(parameter.unsafeGetTensorImpl());
    return found == devices().end() ? parameter.device() : found->second;
}

at::Tensor dataOnDevice(const at::Tensor& parameter)
{
    ParameterHome* home = homeOf(parameter);
    return home == nullptr ? at::Tensor(parameter.tensor_data()) : home->copyOnDevice(parameter);
}

ParametersOnDevice::ParametersOnDevice(std::vector<at::Tensor> parameters, ParameterUse use)
    : m_parameters(std::move(parameters))
    , m_use(use)
{
    forEachHome(m_parameters, [](ParameterHome& home, const auto& resting) { home.bring(resting); });
}

ParametersOnDevice::~ParametersOnDevice()
{
    forEachHome(m_parameters, [this](ParameterHome& home, const auto& resting) { home.rest(resting, m_use); });
}

std::vector<std::vector<at::Tensor>> parameterRuns(const std::vector<at::Tensor>& parameters)
{
    std::vector<std::vector<at::Tensor>> runs;
    ParameterHome* last = nullptr;
    for (const at::Tensor& parameter : parameters) {
        ParameterHome* home = homeOf(parameter);
        if (runs.empty() || home != last)
            runs.emplace_back();
        last = home;
        runs.back().push_back(parameter);
    }
    return runs;
}

} // namespace headroom::tensor
