// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace headroom::rehearsal {

/// Variables of device code. They are part of the context's bytes, so they take address space and are not counted.

/// The address of a module's variable on the current device, the same each time. Status codes of the runtime.
int variableAddress(const void* module, const char* name, std::size_t bytes, void** address, std::size_t* size);

} // namespace headroom::rehearsal
