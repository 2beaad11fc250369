// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/trace/MemoryOwner.h"

#include <cstdint>

namespace headroom::trace {

/// What an allocator did; the names are those of PyTorch's allocator trace (TraceEntry::Action).
enum class Action : std::uint8_t {
    Alloc, ///< a block was handed out
    FreeRequested, ///< the owner gave the block back; allocated bytes drop here
    FreeCompleted, ///< no stream uses it any more; active bytes drop here
    SegmentAlloc, ///< memory taken from the device
    SegmentFree, ///< memory returned to the device
    SegmentMap, ///< physical pages mapped into an expandable segment
    SegmentUnmap, ///< physical pages unmapped from one
    OutOfMemory, ///< a request that failed; bytes = requested, address = free device bytes
    Relabelled ///< not in PyTorch's trace: a live block (whole, `bytes`) is known to have another owner from here on
};

/// One entry of an allocator's trace. Bytes are block sizes after rounding; `requestedBytes` is what was asked for
/// (equal on allocators that do not round). Addresses are virtual for simulated devices.
struct AllocatorEvent {
    std::int64_t timeNs = 0; ///< since the start of the trace
    std::uint64_t address = 0;
    Bytes bytes = 0;
    Bytes requestedBytes = 0;
    std::int32_t stream = 0;
    Action action = Action::Alloc;
    /// For Alloc, FreeRequested and FreeCompleted: the block's owner at that moment. For Relabelled: the new owner.
    OwnerId owner = kUnknownOwner;
    OwnerId previousOwner = kUnknownOwner; ///< of Relabelled only

    bool operator==(const AllocatorEvent&) const = default;
};

} // namespace headroom::trace
