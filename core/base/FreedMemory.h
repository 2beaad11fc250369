// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

namespace headroom {

/// Gives freed memory back to the system if the C library keeps more than `mostKept` of it (glibc; does nothing
/// elsewhere). Workers keep what a step frees (core/protocol/WorkerVariables.h): this is for those that serve many
/// requests. Takes the time of looking through the free blocks, and where memory is returned milliseconds per GiB.
void returnFreedMemory(Bytes mostKept);

} // namespace headroom
