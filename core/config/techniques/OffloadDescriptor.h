// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// Which weights are on the device together.
struct OffloadNotation {
    enum class Groups { None, Blocks, Leaf, Model };
    Groups groups = Groups::None;
    std::int64_t blocks = 1; ///< blocks per group; Blocks only
    bool stream = false; ///< the next group is loaded while this one computes

    bool operator==(const OffloadNotation&) const = default;
};

/// Parses `off`, `block:N`, `leaf`, `model`, the last three optionally with `+stream`; throws UsageError at `where`.
OffloadNotation parseOffload(const std::string& notation, const std::string& where);
std::string toText(const OffloadNotation& offload);

/// Whether offloaded weights are in pinned memory: set by the option `host_memory`, by default with a stream only.
bool restsPinned(const OffloadNotation& offload, const ValueMap& options);

/// Weights that are kept in host memory and copied to the device in groups while their layers run.
TechniqueDescriptor offloadDescriptor();

} // namespace headroom::config
