// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cuda/CudaRuntime.h"
#include "profiling/measurement/Collector.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::collectors {

/// What a trace can record, from the CPU allocator alone to CUPTI kernels. Each CUDA level includes the ones before it.
enum class CaptureLevel {
    CpuAllocator, ///< LibTorch's CPU allocator and the host's figures
    CudaAllocator, ///< LibTorch's caching allocator: tensors and segments
    Sampled, ///< also the device's own figures, sampled
    CuptiMemory, ///< also every allocation of the driver, whoever requested it
    CuptiKernels ///< also kernels, copies and memsets
};

/// "cpu_allocator", "cupti_memory": the names used in records and diagnostics.
std::string_view toText(CaptureLevel level);
/// What a trace of that level contains, for people.
std::string_view meaningOf(CaptureLevel level);

/// The highest level that these collectors allow.
CaptureLevel captureLevelOf(std::span<const Capability> capabilities);

/// Every collector and what it can do on this machine: cpu_allocator, cuda_allocator, cupti_memory, cupti_kernels,
/// virtual_memory, nvml, host_memory. Creates no context and starts nothing.
std::vector<Capability> capabilities(const CudaAvailability& cuda);

} // namespace headroom::collectors
