// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::tensor {

/// What is done to parameters while they are on the device.
enum class ParameterUse { Read, Change };

/// Where parameters are kept that are on the device only while they are used (group offload).
class ParameterHome {
public:
    virtual ~ParameterHome() = default;
    /// A copy of the parameter's stored data on the device, for the caller only.
    virtual at::Tensor copyOnDevice(const at::Tensor& parameter) = 0;
    /// Puts the parameters' data on the device until `rest`, which moves them back if they may have been changed.
    virtual void bring(const std::vector<at::Tensor>& parameters) = 0;
    virtual void rest(const std::vector<at::Tensor>& parameters, ParameterUse use) = 0;
};

/// While it lives, the parameters have this home. Created and destroyed between steps.
class ParameterHomeRegistration {
public:
    ParameterHomeRegistration(const std::vector<at::Tensor>& parameters, ParameterHome& home);
    ~ParameterHomeRegistration();
    ParameterHomeRegistration(const ParameterHomeRegistration&) = delete;
    ParameterHomeRegistration& operator=(const ParameterHomeRegistration&) = delete;

private:
    std::vector<at::Tensor> m_parameters;
};

/// While it lives, the parameter counts as being on `device`, wherever its data are kept. For parameters that have left
/// the device, even before they have a home. Created and destroyed between steps.
class RestingParameter {
public:
    RestingParameter(const at::Tensor& parameter, c10::Device device);
    ~RestingParameter();
    RestingParameter(const RestingParameter&) = delete;
    RestingParameter& operator=(const RestingParameter&) = delete;

private:
    at::Tensor m_parameter;
};

/// The device on which the parameter is used.
c10::Device deviceOf(const at::Tensor& parameter);

/// The parameter's stored data on the device: a copy if they are kept elsewhere, otherwise its own data.
at::Tensor dataOnDevice(const at::Tensor& parameter);

/// While it lives, the parameters' data are on the device. Parameters declared as changed, for example by an optimizer,
/// are copied back; parameters without a home are on the device anyway.
class ParametersOnDevice {
public:
    explicit ParametersOnDevice(std::vector<at::Tensor> parameters, ParameterUse use = ParameterUse::Change);
    ~ParametersOnDevice();
    ParametersOnDevice(const ParametersOnDevice&) = delete;
    ParametersOnDevice& operator=(const ParametersOnDevice&) = delete;

private:
    std::vector<at::Tensor> m_parameters;
    ParameterUse m_use;
};

/// The parameters in order, split into runs that should be on the device together: consecutive parameters with the same
/// home, or without one.
std::vector<std::vector<at::Tensor>> parameterRuns(const std::vector<at::Tensor>& parameters);

} // namespace headroom::tensor
