// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"
#include "core/config/techniques/CheckpointNotation.h"

#include <string>
#include <vector>

namespace headroom::config {

/// Ops whose results op-level checkpointing may keep, by LibTorch's name without "aten::" and overload. None of them
/// writes to its arguments or returns a view of them.
const std::vector<std::string>& savableOps();

/// The ops that are kept by default: those that are expensive to recompute.
const std::vector<std::string>& defaultSavedOps();

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
