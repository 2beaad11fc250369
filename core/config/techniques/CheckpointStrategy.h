// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace headroom::config {

/// A named rule for which blocks are checkpointed, for what the other notations cannot say; `strategy:NAME`.
/// docs/techniques/checkpointing.md says how to add one.
struct CheckpointStrategy {
    std::string name; ///< lower case with underscores
    std::string help;
    /// Whether block `index` of `blockCount` is checkpointed. Depends on nothing else: it is asked again at will.
    std::function<bool(std::int64_t index, std::int64_t blockCount)> checkpoints;
};

/// Every strategy, in the order in which they are listed.
const std::vector<CheckpointStrategy>& checkpointStrategies();
std::vector<std::string> checkpointStrategyNames();

/// Throws UsageError at `where`, naming the closest and all valid names.
const CheckpointStrategy& findCheckpointStrategy(const std::string& name, const std::string& where);

} // namespace headroom::config
