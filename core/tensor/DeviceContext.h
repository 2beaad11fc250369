// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/DeviceSpec.h"
#include "core/config/Workload.h"
#include "core/tensor/Torch.h"

#include <string>

namespace headroom::tensor {

/// Where a device's tensors live: those of simulated devices are on meta.
c10::Device torchDevice(const config::DeviceSpec& device);

c10::ScalarType scalarType(config::Dtype dtype);

/// Dtype and device of a model's weights and inputs.
at::TensorOptions tensorOptions(const config::DeviceSpec& device, config::Dtype dtype);

/// Makes the weights and inputs of a trial the same in every process: seeds the CPU generator and the device's own.
void seedGenerators(std::int64_t seed);

/// Number of threads of LibTorch's CPU kernels, and the instruction set that was selected for them ("AVX2", "AVX512").
int cpuThreads();
std::string cpuCapability();

/// Version of the linked LibTorch, "2.11.0".
std::string torchVersion();

} // namespace headroom::tensor
