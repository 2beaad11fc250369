// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/DeviceContext.h"

#include <torch/version.h>

namespace headroom::tensor {

c10::Device torchDevice(const config::DeviceSpec& device)
{
    switch (device.kind) {
    case config::DeviceKind::Cpu:
        return c10::Device(c10::kCPU);
    case config::DeviceKind::Cuda:
    case config::DeviceKind::Rehearsed:
        return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(device.index));
    case config::DeviceKind::Simulated:
        break;
    }
    return c10::Device(c10::kMeta);
}

c10::ScalarType scalarType(config::Dtype dtype)
{
    switch (dtype) {
    case config::Dtype::Float64:
        return c10::kDouble;
    case config::Dtype::Float32:
        return c10::kFloat;
    case config::Dtype::BFloat16:
        return c10::kBFloat16;
    case config::Dtype::Float16:
        break;
    }
    return c10::kHalf;
}

at::TensorOptions tensorOptions(const config::DeviceSpec& device, config::Dtype dtype)
{
    return at::TensorOptions().device(torchDevice(device)).dtype(scalarType(dtype));
}

void seedGenerators(std::int64_t seed)
{
    at::manual_seed(static_cast<std::uint64_t>(seed));
}

int cpuThreads()
{
    return at::get_num_threads();
}

std::string cpuCapability()
{
    return at::get_cpu_capability();
}

std::string torchVersion()
{
    return TORCH_VERSION;
}

} // namespace headroom::tensor
