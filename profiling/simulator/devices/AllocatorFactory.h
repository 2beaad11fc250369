// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/SimulatedAllocator.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <memory>
#include <string_view>

namespace headroom::simulator {

/// The allocator of a simulated device: caching or exact as in its profile, limited to what the device offers to a
/// process, with the runtime's settings changed by `allocConf` (the text of PYTORCH_ALLOC_CONF; exact devices have no
/// settings). Throws UsageError for invalid text.
std::unique_ptr<SimulatedAllocator> makeAllocator(
    const SimulatedDevice& simulated, std::string_view allocConf = {}, Bytes outsideTorchBytes = 0);

} // namespace headroom::simulator
