// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headroom {

/// The executable that links OpenHooks.cpp (with ENABLE_EXPORTS) has open(), fopen() and their kin replaced by
/// functions that tell who listens before they open. `caller`: an address in the code that calls.
using OpenListener = void (*)(const char* path, const void* caller);

/// Of the whole process, on whichever thread something is opened; there is room for a few.
void addOpenListener(OpenListener listener);

} // namespace headroom
