// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/Capabilities.h"

#include "core/tensor/DeviceContext.h"
#include "profiling/collectors/HostSampler.h"
#include "profiling/collectors/cupti/CuptiStatus.h"
#include "profiling/collectors/nvml/NvmlSampler.h"

namespace headroom::collectors {

// The runtime is asked for devices first: what CUPTI answers without a driver says nothing of the reason.
std::vector<Capability> capabilities(const CudaAvailability& cuda)
{
    const std::string torch = "LibTorch " + tensor::torchVersion();
    const std::string cupti = "API " + std::to_string(cuda.cuptiVersion);
    const std::string objection = cuda.reason.empty() ? cupti::processProblem() : cuda.reason;
    return {{"cpu_allocator", "every tensor on the CPU, to the byte", torch, ""},
        {"cuda_allocator", "every tensor and segment of LibTorch's caching allocator", torch, cuda.reason},
        {"cupti_memory", "memory that the driver gives to anyone, libraries included", cupti, objection},
        {"cupti_kernels", "kernels, copies and fills with their times, on request", cupti, objection},
        {"virtual_memory", "the driver's virtual-memory calls, which expandable segments are made of", cupti,
            objection},
        nvml::nvmlCapability(), HostSampler().capability()};
}

} // namespace headroom::collectors
