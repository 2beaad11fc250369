// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Observation.h"

#include <cuda_runtime_api.h>
#include <cupti.h>

namespace headroom::rehearsal::cupti {

// What this version of CUPTI writes; clients that were built with older headers read the same first fields.
#if CUDART_VERSION >= 13000
using KernelRecord = CUpti_ActivityKernel10;
using PoolRecord = CUpti_ActivityMemoryPool3;
#else
using KernelRecord = CUpti_ActivityKernel9;
using PoolRecord = CUpti_ActivityMemoryPool2;
#endif
using CopyRecord = CUpti_ActivityMemcpy6;
using MemoryRecord = CUpti_ActivityMemory4;
using WaitRecord = CUpti_ActivitySynchronization2;
using FillRecord = CUpti_ActivityMemset4;
using CallRecord = CUpti_ActivityAPI;
using ExternalRecord = CUpti_ActivityExternalCorrelation;

/// What one activity took, on the client's axis.
struct Times {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

KernelRecord kernelRecord(const Activity& activity, Times times, CUpti_ActivityKind kind);
CopyRecord copyRecord(const Activity& activity, Times times);
FillRecord fillRecord(const Activity& activity, Times times);
WaitRecord waitRecord(const Activity& activity, Times times);
MemoryRecord memoryRecord(const MemoryChange& change, std::uint64_t time);
PoolRecord poolRecord(const PoolChange& change, std::uint64_t time);
CallRecord callRecord(const Call& call, CUpti_CallbackId callback, Times times);

/// There is one context for each device.
std::uint32_t contextId(int device);

} // namespace headroom::rehearsal::cupti
