// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/memory/Memory.h"

namespace headroom::rehearsal {

/// The memory that this process got from the card, by address. `range.id` is given here.
void addRange(MemoryRange range);
/// Takes a range away that begins at `begin` and is of that kind and origin; of kind Unregistered where there is none.
MemoryRange removeRange(std::uintptr_t begin, MemoryKind kind, MemoryOrigin origin = MemoryOrigin::Allocation);
/// Tells the observer that a range was taken or given back on a stream; 0: not on a stream.
void tellMemory(bool taken, const MemoryRange& range, std::uint32_t stream = 0);
/// The one that begins there.
MemoryRange rangeAt(std::uintptr_t begin);

} // namespace headroom::rehearsal
