// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"

#include <string>

namespace headroom::collectors {

/// A request that LibTorch's CUDA allocator refused for good, as it tells its observers.
struct RefusedRequest {
    Bytes segmentBytes = 0; ///< what the driver was to give: the request rounded up to a segment
    Bytes allowedBytes = 0; ///< the allocator's limit, else the memory of the device
    Bytes freeBytes = 0; ///< of the device
    Bytes allocatedBytes = 0; ///< of the allocator, like the next
    Bytes reservedBytes = 0;
};

/// Without a phase. Missing is what device and limit lack for the segment, whichever lacks more; unknown if neither
/// lacks anything.
protocol::OutOfMemoryFacts factsOf(const RefusedRequest& refused);

/// What the text of LibTorch's exception tells, without a phase: sizes there have two decimals of their unit. All
/// unknown for texts of other origin. Formats: c10/cuda/CUDACachingAllocator.cpp and CUDAMallocAsyncAllocator.cpp.
protocol::OutOfMemoryFacts factsIn(const std::string& message);

/// Whether a text with these facts may be about this request: its segment is printed alike.
bool mayTellOf(const protocol::OutOfMemoryFacts& said, const RefusedRequest& refused);

} // namespace headroom::collectors
