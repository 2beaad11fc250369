// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/measurement/Collector.h"

#include <span>
#include <string>
#include <string_view>

namespace headroom::collectors {

/// How much a trace can tell: from all witnesses down to one. Each has what the ones before it have.
enum class CaptureRung {
    CpuAllocator, ///< LibTorch's CPU allocator, and what the host says
    CudaAllocator, ///< LibTorch's caching allocator: tensors and segments
    Sampled, ///< and what the device says of itself, sampled
    CuptiMemory, ///< and every allocation of the driver, whoever asked
    CuptiKernels ///< and kernels, copies and fills
};

/// "cpu_allocator", "cupti_memory": as in records and diagnostics.
std::string_view toText(CaptureRung rung);
/// What a trace of that rung has, as people read it.
std::string_view meaningOf(CaptureRung rung);

/// The highest that these collectors allow.
CaptureRung rungOf(std::span<const Capability> capabilities);

} // namespace headroom::collectors
