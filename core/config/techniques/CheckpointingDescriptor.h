// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"
#include "core/config/techniques/CheckpointNotation.h"

namespace headroom::config {

/// Blocks that keep only their inputs, or also selected op results, and run again in the backward pass.
///
/// Options: `save_ops` and `force_recompute` (of `ops`), `early_stop`; docs/techniques/checkpointing.md.
TechniqueDescriptor checkpointingDescriptor();

/// The options as a struct: which op results are kept and which are not, complete. Null options mean the defaults.
struct CheckpointOpOptions {
    std::vector<std::string> savedOps;
    std::vector<std::string> recomputedModules;
    bool stopsEarly = true;
};
CheckpointOpOptions checkpointOpOptions(const ValueMap& options);

} // namespace headroom::config
