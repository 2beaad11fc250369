// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cuda/CudaRuntime.h"
#include "profiling/measurement/Collector.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::collectors {

/// How much a trace can tell: from all witnesses down to one. Each has what the ones before it have.
enum class CaptureLevel {
    CpuAllocator, ///< LibTorch's CPU allocator, and what the host says
    CudaAllocator, ///< LibTorch's caching allocator: tensors and segments
    Sampled, ///< and what the device says of itself, sampled
    CuptiMemory, ///< and every allocation of the driver, whoever asked
    CuptiKernels ///< and kernels, copies and fills
};

/// "cpu_allocator", "cupti_memory": as in records and diagnostics.
std::string_view toText(CaptureLevel level);
/// What a trace of that level has, as people read it.
std::string_view meaningOf(CaptureLevel level);

/// The highest that these collectors allow.
CaptureLevel captureLevelOf(std::span<const Capability> capabilities);

/// Every way of looking at memory and what it can do on this machine: cpu_allocator, cuda_allocator, cupti_memory,
/// cupti_kernels, virtual_memory, nvml, host_memory. Creates no context and takes nothing into use.
std::vector<Capability> capabilities(const CudaAvailability& cuda);

} // namespace headroom::collectors
