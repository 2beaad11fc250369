// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::tensor {

/// What is done to parameters while they are on the device.
enum class ParameterUse { Read, Change };

/// Where parameters rest that are on the device only while they are used (group offload).
class ParameterHome {
public:
    virtual ~ParameterHome() = default;
    /// A copy of the parameter's stored data on the device, for the caller alone.
    virtual at::Tensor copyOnDevice(const at::Tensor& parameter) = 0;
    /// The parameters' data are on the device until `rest`, which takes them back where they may have been changed.
    virtual void bring(const std::vector<at::Tensor>& parameters) = 0;
    virtual void rest(const std::vector<at::Tensor>& parameters, ParameterUse use) = 0;
};

/// While it lives, the parameters have a home. Made and destroyed between steps.
class ParameterHomeRegistration {
public:
    ParameterHomeRegistration(const std::vector<at::Tensor>& parameters, ParameterHome& home);
    ~ParameterHomeRegistration();
    ParameterHomeRegistration(const ParameterHomeRegistration&) = delete;
    ParameterHomeRegistration& operator=(const ParameterHomeRegistration&) = delete;

private:
    std::vector<at::Tensor> m_parameters;
};

/// While it lives, the parameter is computed with on `device`, wherever its data rest. For parameters that have left
/// the device, before they have a home too. Made and destroyed between steps.
class RestingParameter {
public:
    RestingParameter(const at::Tensor& parameter, c10::Device device);
    ~RestingParameter();
    RestingParameter(const RestingParameter&) = delete;
    RestingParameter& operator=(const RestingParameter&) = delete;

private:
    at::Tensor m_parameter;
};

/// The device that the parameter is computed with on.
c10::Device deviceOf(const at::Tensor& parameter);

/// The parameter's stored data on the device: a copy where it rests elsewhere, its own data otherwise.
at::Tensor dataOnDevice(const at::Tensor& parameter);

/// While it lives, the parameters' data are on the device. What is said to be changed, by an optimizer for example,
/// goes back to where it rests; parameters without a home are on the device anyway.
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

/// The parameters in order, in runs that should be on the device together: one run of all that have no home, else one
/// for each stretch with the same home group.
std::vector<std::vector<at::Tensor>> parameterRuns(const std::vector<at::Tensor>& parameters);

} // namespace headroom::tensor
