// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headroom::rehearsal {

using HostFunction = void (*)(void* data);

/// Functions that a program puts on a stream. They run on a thread of their own, as with a real driver, one after the
/// other in the order in which they were put; a caller may hold a lock that they want. Returns the ticket that is done
/// when the function is.
std::uint64_t putHostFunction(HostFunction function, void* data);

bool isHostFunctionDone(std::uint64_t ticket);
/// Returns at once on the thread of the functions itself.
void waitForHostFunction(std::uint64_t ticket);

} // namespace headroom::rehearsal
