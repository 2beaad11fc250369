// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/profiles/ComputeCapability.h"

#include <cstdint>

namespace headroom::simulator {

/// Key-value pairs that LibTorch sorts by key with CUB.
struct SortedPairs {
    std::int64_t count = 0;
    Bytes keyBytes = 8; ///< 4 or 8
    Bytes valueBytes = 8; ///< 4 or 8
    std::int64_t keyBits = 64; ///< it sorts by this many of the lowest bits
};

/// The temporary storage that cub::DeviceRadixSort::SortPairs requests, which LibTorch takes from its allocator for the
/// call (CUB of CUDA 13.0: cub/device/dispatch/dispatch_radix_sort.cuh, InvokeSingleTile and InvokeOnesweep, with the
/// tile sizes in tuning/tuning_radix_sort.cuh).
Bytes sortScratch(const SortedPairs& pairs, ComputeCapability capability);

/// The temporary storage of cub::DeviceSelect::UniqueByKey for pairs of 8 bytes each, and of thrust::exclusive_scan: 16
/// bytes for each tile, whose sizes were found by rehearsing LibTorch 2.11 on T4, RTX 4090, A100, H100 and B200.
Bytes uniqueScratch(std::int64_t count, ComputeCapability capability);
Bytes scanScratch(std::int64_t count);

/// The number of bits needed for numbers up to the largest (ATen/cuda/cub.h, get_num_bits).
std::int64_t bitsOf(std::int64_t largest);

} // namespace headroom::simulator
