// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CaptureLevel.h"

#include "core/tensor/DeviceContext.h"
#include "profiling/collectors/HostSampler.h"
#include "profiling/collectors/cupti/CuptiStatus.h"
#include "profiling/collectors/nvml/NvmlSampler.h"

#include <algorithm>
#include <array>

namespace headroom::collectors {
namespace {

struct LevelRow {
    std::string_view name;
    std::string_view meaning;
    std::string_view collector; ///< the one that provides this level
};

constexpr std::array<LevelRow, 5> kCaptureLevels{{
    {"cpu_allocator", "tensors on the CPU, and the host's memory", "cpu_allocator"},
    {"cuda_allocator", "tensors and segments of LibTorch's CUDA allocator", "cuda_allocator"},
    {"sampled", "LibTorch's CUDA allocator, and sampled figures of the device", "nvml"},
    {"cupti_memory", "LibTorch's CUDA allocator, the device's own figures, and every allocation of the driver",
        "cupti_memory"},
    {"cupti_kernels", "everything: allocator, device, driver, and on request kernels and copies", "cupti_kernels"},
}};

bool has(std::span<const Capability> capabilities, std::string_view name)
{
    return std::any_of(capabilities.begin(), capabilities.end(),
        [&](const Capability& capability) { return capability.name == name && capability.isAvailable(); });
}

} // namespace

std::string_view toText(CaptureLevel level)
{
    return kCaptureLevels.at(static_cast<std::size_t>(level)).name;
}

std::string_view meaningOf(CaptureLevel level)
{
    return kCaptureLevels.at(static_cast<std::size_t>(level)).meaning;
}

// Nothing is traced on a device whose allocator cannot be traced.
CaptureLevel captureLevelOf(std::span<const Capability> capabilities)
{
    auto level = CaptureLevel::CpuAllocator;
    if (!has(capabilities, "cuda_allocator"))
        return level;
    for (std::size_t index = 1; index < kCaptureLevels.size(); ++index)
        if (has(capabilities, kCaptureLevels[index].collector))
            level = static_cast<CaptureLevel>(index);
    return level;
}

// The runtime is asked for devices first: without a driver CUPTI's error does not show the reason.
std::vector<Capability> capabilities(const CudaAvailability& cuda)
{
    const std::string torch = "LibTorch " + tensor::torchVersion();
    const std::string cupti = "API " + std::to_string(cuda.cuptiVersion);
    const std::string objection = cuda.reason.empty() ? cupti::processProblem() : cuda.reason;
    return {{"cpu_allocator", "every tensor on the CPU, to the byte", torch, ""},
        {"cuda_allocator", "every tensor and segment of LibTorch's caching allocator", torch, cuda.reason},
        {"cupti_memory", "all memory that the driver allocates, for libraries too", cupti, objection},
        {"cupti_kernels", "kernels, copies and fills with their times, on request", cupti, objection},
        {"virtual_memory", "the driver's virtual-memory calls, which expandable segments use", cupti, objection},
        nvml::nvmlCapability(), HostSampler().capability()};
}

} // namespace headroom::collectors
