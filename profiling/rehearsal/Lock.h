// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace headroom::rehearsal {

/// Locks of this library are initialised by the compiler: it is used before constructors have run, and after
/// destructors.
using Lock = std::mutex;
using LockScope = std::lock_guard<std::mutex>;

} // namespace headroom::rehearsal
