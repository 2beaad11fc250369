// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace headroom::rehearsal {

/// Memory of the host that the card knows: pinned, registered and managed. It is real memory of this machine, and what
/// is pinned or managed counts against the card's hostBytes. Status codes of the runtime.
int allocatePinned(std::size_t bytes, unsigned flags, void** address);
int freePinned(void* address);
int allocateManaged(std::size_t bytes, unsigned flags, void** address);
int freeManaged(void* address);
int registerHost(void* address, std::size_t bytes, unsigned flags);
int unregisterHost(void* address);

} // namespace headroom::rehearsal
