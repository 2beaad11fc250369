// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/DeviceSpec.h"
#include "core/config/Workload.h"
#include "core/tensor/Torch.h"

#include <string>

namespace headroom::tensor {

/// Where tensors of a device live: simulated devices have theirs on meta.
c10::Device torchDevice(const config::DeviceSpec& device);

c10::ScalarType scalarType(config::Dtype dtype);

/// Dtype and device of a model's weights and inputs.
at::TensorOptions tensorOptions(const config::DeviceSpec& device, config::Dtype dtype);

/// Makes weights and inputs of one trial the same in every process: seeds the CPU generator, and the device's own.
void seedGenerators(std::int64_t seed);

/// Threads that LibTorch's CPU kernels use, and the instruction set they were chosen for ("AVX2", "AVX512").
int cpuThreads();
std::string cpuCapability();

/// Version of the linked LibTorch, "2.11.0".
std::string torchVersion();

} // namespace headroom::tensor
