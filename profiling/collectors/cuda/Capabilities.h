// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cuda/CudaRuntime.h"
#include "profiling/measurement/Collector.h"

#include <vector>

namespace headroom::collectors {

/// Every way of looking at memory and what it can do on this machine: cpu_allocator, cuda_allocator, cupti_memory,
/// cupti_kernels, virtual_memory, nvml, host_memory. Creates no context and takes nothing into use.
std::vector<Capability> capabilities(const CudaAvailability& cuda);

} // namespace headroom::collectors
