// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/AllocatorSnapshot.h"

#include <c10/cuda/CUDACachingAllocator.h>

#include <functional>

namespace headroom::collectors {

/// What LibTorch's CUDA allocator tells of itself, in one call that holds its locks.
using CudaSnapshot = c10::cuda::CUDACachingAllocator::SnapshotInfo;

/// The segments and blocks of one device. `numberOf` gives each stream its number.
simulator::AllocatorSnapshot snapshotOf(
    const CudaSnapshot& told, int device, const std::function<simulator::Stream(const void*)>& numberOf);

/// The settings that decide how large blocks are, as the allocator itself reports them: PYTORCH_ALLOC_CONF and what was
/// changed since. Others have their default.
simulator::AllocatorSettings blockSettingsOf(const CudaSnapshot& told);

} // namespace headroom::collectors
